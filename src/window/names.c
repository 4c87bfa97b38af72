#include "window/names.h"

#include <string.h>

#include "base/hash.h"
#include "call/dynamic.h"

static void published_name_release(struct published_name *published)
{
    free(published->name);
    free(published->port);
}

void published_names_copy(struct published_names *to, const struct published_names *from)
{
    to->changes = from->changes;
    vec_copy(&to->at, &from->at);
    for (size_t i = 0; i < to->at.n; i++)
        to->at.at[i] = (struct published_name){xstrdup(from->at.at[i].name), xstrdup(from->at.at[i].port)};
}

void published_names_release(struct published_names *names)
{
    vec_release_each(&names->at, published_name_release);
}

void published_names_stir(const struct published_names *names, struct map_key *sum)
{
    for (size_t i = 0; i < names->at.n; i++) {
        hash_stir(sum, hash_bytes(0, names->at.at[i].name, strlen(names->at.at[i].name)));
        hash_stir(sum, hash_bytes(1, names->at.at[i].port, strlen(names->at.at[i].port)));
    }
}

/* Where it is, or where it would be. */
static size_t find_name(const struct published_names *names, const char *name, bool *is_there)
{
    size_t i = 0;
    while (i < names->at.n && strcmp(names->at.at[i].name, name) < 0)
        i++;
    *is_there = i < names->at.n && strcmp(names->at.at[i].name, name) == 0;
    return i;
}

/* Takes both words. */
static void publish_name(struct published_names *names, size_t at, char *name, char *port)
{
    vec_push(&names->at, (struct published_name){0});
    memmove(names->at.at + at + 1, names->at.at + at, (names->at.n - 1 - at) * sizeof *names->at.at);
    names->at.at[at] = (struct published_name){name, port};
    names->changes++;
}

static void unpublish_name(struct published_names *names, size_t at)
{
    published_name_release(&names->at.at[at]);
    names->at.n--;
    memmove(names->at.at + at, names->at.at + at + 1, (names->at.n - at) * sizeof *names->at.at);
    names->changes++;
}

static void add_to_mail(struct keeper_mail *mail, const void *bytes, size_t n)
{
    vec_reserve(&mail->text, n + 1);
    if (n)
        memcpy(mail->text.at + mail->text.n, bytes, n);
    mail->text.n += n;
}

static void answer_name(struct keeper_mail *mail, rank_t to, bool done, const char *port)
{
    struct name_answer answer = {.done = done, .port = (uint32_t)strlen(port)};
    struct keeper_letter letter = {.to = to, .tag = DYNAMIC_NAME_ANSWER, .at = mail->text.n, .bytes = sizeof answer + answer.port};
    add_to_mail(mail, &answer, sizeof answer);
    add_to_mail(mail, port, answer.port);
    vec_push(&mail->letter, letter);
}

static bool message_is_whole(const struct name_message *message, size_t bytes)
{
    return bytes >= sizeof *message && message->name <= bytes && message->port <= bytes &&
           sizeof *message + message->name + message->port == bytes;
}

void published_names_take(struct published_names *names, rank_t from, const void *text, size_t bytes, struct keeper_mail *mail)
{
    const struct name_message *message = text;
    const char *words = (const char *)(message + 1);
    bool is_there = false;
    if (!message_is_whole(message, bytes)) {
        answer_name(mail, from, false, "");
        return;
    }
    char *name = strndup(words, message->name), *port = strndup(words + message->name, message->port);
    size_t at = find_name(names, name, &is_there);
    bool publishes = message->request == NAME_PUBLISH;
    answer_name(mail, from, is_there != publishes, is_there && message->request == NAME_LOOKUP ? names->at.at[at].port : "");
    if (publishes && !is_there) {
        publish_name(names, at, name, port);
        return;
    }
    if (message->request == NAME_UNPUBLISH && is_there)
        unpublish_name(names, at);
    free(name);
    free(port);
}
