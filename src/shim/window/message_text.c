#include "shim/window/message_text.h"

#include <stdlib.h>
#include <string.h>

/* Of so many bytes, a multiple of 8.  Its last 8 are zero: the writer may leave some of them, and messages are compared. */
static char *more_text(struct message_text *text, size_t bytes)
{
    if (text->bytes + bytes > text->room) {
        text->room = 2 * text->room > text->bytes + bytes ? 2 * text->room : text->bytes + bytes;
        text->at = shim_realloc(text->at, text->room);
    }
    char *new = text->at + text->bytes;
    memset(new + bytes - 8, 0, 8);
    text->bytes += bytes;
    return new;
}

static void add_note(struct message_text *text, struct access_note note)
{
    if (text->accesses == text->notes_room) {
        text->notes_room = text->notes_room ? 2 * text->notes_room : 4;
        text->note = shim_realloc(text->note, text->notes_room * sizeof *text->note);
    }
    text->note[text->accesses++] = note;
    text->results += note.result.bytes > 0;
}

void *message_text_add(struct message_text *text, const struct window_access *access, const struct window_piece *piece,
                       struct access_note note)
{
    size_t pieces = access->pieces * sizeof *piece;
    char *to = more_text(text, sizeof *access + pieces + op_round(access->bytes));
    memcpy(to, access, sizeof *access);
    if (pieces)
        memcpy(to + sizeof *access, piece, pieces);
    add_note(text, note);
    text->writes |= access->kind != WINDOW_GET && (access->kind != WINDOW_FETCH || access->operator != OPERATOR_NO_OP);
    return to + sizeof *access + pieces;
}

void message_text_release(struct message_text *text)
{
    for (uint32_t i = 0; i < text->accesses; i++)
        if (text->note[i].result.bytes)
            type_drop(text->note[i].result.datatype);
    free(text->at);
    free(text->note);
    *text = (struct message_text){0};
}
