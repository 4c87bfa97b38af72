/*
 * spawn -- MPI_Comm_spawn: ranks that others start (call/dynamic.h).
 *
 * The root finds the programs, gets numbers for the new ranks, and tells the other parents.  Then it sends each new rank what it
 * is to be.  Parents and children meet on the intercommunicator between them, which is its first turn: MPI_Comm_spawn returns when all
 * children have called MPI_Init, and that when all parents have called MPI_Comm_spawn.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/channel.h"
#include "shim/core/error.h"
#include "shim/core/library_code.h"
#include "shim/core/refusal.h"
#include "shim/virtual/agreement.h"
#include "shim/virtual/coll.h"
#include "shim/virtual/dynamic_mail.h"
#include "shim/virtual/intercomm.h"

enum { BETWEEN_WORLDS = 10 }; /* beyond CONTEXT_SALTS */

/* One command of a spawn. */
struct spawn_command {
    const char *command;
    char **argv; /* up to NULL; NULL: none */
    int maxprocs;
    MPI_Info info;
};

/* What the root tells the other parents. */
struct spawn_order {
    int32_t error; /* class */
    int32_t count; /* ranks that are started, or should have been */
    rank_t first;
};

/* ---- which program ---- */

/* A hint, or the empty string. */
static void read_hint(MPI_Info info, const char *key, char value[PATH_MAX])
{
    char text[MPI_MAX_INFO_VAL + 1] = "";
    int flag = 0;
    if (info != MPI_INFO_NULL)
        real_must(Info_get, info, key, MPI_MAX_INFO_VAL, text, &flag);
    snprintf(value, PATH_MAX, "%s", flag ? text : "");
}

static bool is_startable(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

/* In one folder of a list with colons between; false: it is in none. */
static bool find_in_folders(const char *folders, const char *name, char found[PATH_MAX])
{
    while (*folders) {
        size_t length = strcspn(folders, ":");
        if (length && snprintf(found, PATH_MAX, "%.*s/%s", (int)length, folders, name) < PATH_MAX && is_startable(found))
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

static bool is_below(const char *folder, const char *name, char found[PATH_MAX])
{
    return snprintf(found, PATH_MAX, "%s/%s", folder, name) < PATH_MAX && is_startable(found);
}

/* A path, from here or from where it is to be started; or a name, by the hint `path`, by PATH, and here. */
static bool find_program(const struct spawn_command *command, const char *folder, char found[PATH_MAX])
{
    char here[PATH_MAX], folders[PATH_MAX];
    const char *name = command->command, *usual = getenv("PATH");
    if (*name == '/')
        return snprintf(found, PATH_MAX, "%s", name) < PATH_MAX && is_startable(found);
    if (!getcwd(here, sizeof here))
        return false;
    read_hint(command->info, "path", folders);
    if (!strchr(name, '/') && (find_in_folders(folders, name, found) || find_in_folders(usual ? usual : "", name, found)))
        return true;
    return is_below(here, name, found) || (*folder && is_below(folder, name, found));
}

/* ---- what a rank is to be ---- */

struct birth_text {
    char *at; /* owned */
    size_t bytes, words;
};

static void add_birth_word(struct birth_text *text, const char *word)
{
    size_t bytes = strlen(word) + 1;
    text->at = shim_realloc(text->at, text->bytes + bytes);
    memcpy(text->at + text->bytes, word, bytes);
    text->bytes += bytes;
    text->words++;
}

/* False: there is no such program, or no such folder. */
static bool write_words(const struct spawn_command *command, struct birth_text *text)
{
    char program[PATH_MAX], folder[PATH_MAX];
    struct stat place;
    read_hint(command->info, "wdir", folder);
    if ((*folder && (stat(folder, &place) < 0 || !S_ISDIR(place.st_mode))) || !find_program(command, folder, program))
        return false;
    add_birth_word(text, program);
    add_birth_word(text, folder);
    add_birth_word(text, command->command);
    for (char **word = command->argv; word && *word; word++)
        add_birth_word(text, *word);
    return true;
}

struct spawn {
    struct comm *comm;
    context_t between;
    uint32_t number; /* of those of which this rank was the root */
    rank_t first;
    int count;
};

/* The root to one child. */
static void send_birth(const struct spawn *spawn, int index, uint32_t application, const struct birth_text *text)
{
    const struct group *parents = spawn->comm->local;
    struct birth head = {.between = spawn->between,
                         .parents = (uint32_t)parents->size,
                         .siblings = (uint32_t)spawn->count,
                         .index = (uint32_t)index,
                         .application = application,
                         .words = (uint32_t)text->words,
                         .bytes = (uint32_t)text->bytes};
    size_t bytes = birth_size(&head);
    struct birth *birth = shim_alloc(bytes);
    *birth = head;
    memcpy((rank_t *)birth_parents(birth), parents->rank, (size_t)parents->size * sizeof *parents->rank);
    for (int i = 0; i < spawn->count; i++)
        ((rank_t *)birth_siblings(birth))[i] = spawn->first + i;
    memcpy((char *)birth_words(birth), text->at, text->bytes);
    dynamic_send(&(struct dynamic_letter){.to = spawn->first + index,
                                          .tag = DYNAMIC_BIRTH,
                                          .more = OPF_CALM,
                                          .body = birth,
                                          .bytes = bytes,
                                          .spawn = spawn->number,
                                          .count = (uint32_t)spawn->count});
    free(birth);
}

static void send_births(const struct spawn *spawn, const struct spawn_command *command, const struct birth_text *text, int commands)
{
    int index = 0;
    for (int c = 0; c < commands; c++)
        for (int i = 0; i < command[c].maxprocs; i++)
            send_birth(spawn, index++, (uint32_t)c, &text[c]);
}

/* ---- the call ---- */

static uint32_t spawns; /* of which this rank was the root */

/* What is to be started, at the root: finds the programs, and gets numbers. */
static struct spawn_order give_order(const struct spawn_command *command, struct birth_text *text, int commands)
{
    struct spawn_order order = {.error = MPI_SUCCESS};
    for (int c = 0; c < commands; c++) {
        order.count += command[c].maxprocs;
        if (!write_words(&command[c], &text[c]))
            order.error = MPI_ERR_SPAWN;
    }
    if (order.error != MPI_SUCCESS)
        return order;
    order.first = channel_places(spawns, (uint32_t)order.count);
    if (order.first == RANK_NONE)
        refuse_because("for more ranks than --max-spawn says, nor with --record, --engine=paths, predict, model and explain-states");
    return order;
}

static void set_errcodes(int *errcodes, int count, int error)
{
    for (int i = 0; errcodes != MPI_ERRCODES_IGNORE && i < count; i++)
        errcodes[i] = error;
}

static struct group *group_of_children(const struct spawn_order *order)
{
    struct group *g = group_new(order->count);
    for (int i = 0; i < g->size; i++)
        g->rank[i] = order->first + i;
    return g;
}

/* What the root has said, which all know now. */
static int follow_order(struct comm *c, const struct spawn_order *order, const struct spawn_command *command,
                        const struct birth_text *text, int commands, MPI_Comm *intercomm)
{
    struct spawn spawn = {c, context_derive(c->context, c->turns - 1, CONTEXT_SALTS + BETWEEN_WORLDS), spawns, order->first, order->count};
    int error = comm_back(c, intercomm);
    if (error != MPI_SUCCESS)
        return error;
    if (command) {
        send_births(&spawn, command, text, commands);
        spawns++;
    }
    coll_exchange(comm_new(c, spawn.between, group_copy(c->local), group_of_children(order), *intercomm), NULL, 0, NULL);
    return MPI_SUCCESS;
}

/* `command` is NULL where this rank is not the root. */
static int spawn_commands(struct comm *c, int root, const struct spawn_command *command, int commands, MPI_Comm *intercomm, int *errcodes)
{
    struct birth_text *text = shim_alloc((size_t)(commands ? commands : 1) * sizeof *text);
    memset(text, 0, (size_t)(commands ? commands : 1) * sizeof *text);
    struct spawn_order order = command ? give_order(command, text, commands) : (struct spawn_order){0};
    size_t *start = shim_alloc((size_t)(c->local->size + 1) * sizeof *start);
    char *told = agree(c, &order, command ? sizeof order : 0, start);
    int error = MPI_ERR_ROOT;
    *intercomm = MPI_COMM_NULL;
    if (start[root + 1] - start[root] == sizeof order) {
        memcpy(&order, told + start[root], sizeof order);
        error = order.error;
        set_errcodes(errcodes, order.count, error);
    }
    if (error == MPI_SUCCESS)
        error = follow_order(c, &order, command, text, commands, intercomm);
    else
        error = error_argument(c, error, "%s", error == MPI_ERR_ROOT ? "members do not agree on the root" : "there is no such program, or no such folder");
    for (int i = 0; i < commands; i++)
        free(text[i].at);
    free(text);
    free(start);
    free(told);
    return error;
}

static int check_commands(const struct comm *c, const struct spawn_command *command, int commands)
{
    for (int i = 0; i < commands; i++) {
        if (!command[i].command)
            return error_argument(c, MPI_ERR_ARG, "there is no command");
        if (command[i].maxprocs <= 0)
            return error_argument(c, MPI_ERR_ARG, "maxprocs is %d", command[i].maxprocs);
    }
    return MPI_SUCCESS;
}

int body_Comm_spawn(const char *command, char **argv, int maxprocs, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm,
                    int *array_of_errcodes)
{
    struct comm *c = comm_find(comm);
    struct spawn_command only = {command, argv, maxprocs, info};
    int error = intercomm_check_root(c, root);
    bool is_root = error == MPI_SUCCESS && c->rank == root;
    if (is_root)
        error = check_commands(c, &only, 1);
    return error == MPI_SUCCESS ? spawn_commands(c, root, is_root ? &only : NULL, is_root, intercomm, array_of_errcodes) : error;
}

int body_Comm_spawn_multiple(int count, char **array_of_commands, char ***array_of_argv, const int *array_of_maxprocs,
                             const MPI_Info *array_of_info, int root, MPI_Comm comm, MPI_Comm *intercomm, int *array_of_errcodes)
{
    struct comm *c = comm_find(comm);
    int error = intercomm_check_root(c, root);
    bool is_root = error == MPI_SUCCESS && c->rank == root;
    if (is_root && count <= 0)
        error = error_argument(c, MPI_ERR_ARG, "there are %d commands", count);
    if (error != MPI_SUCCESS)
        return error;
    struct spawn_command *command = shim_alloc((size_t)(is_root ? count : 1) * sizeof *command);
    for (int i = 0; is_root && i < count; i++)
        command[i] = (struct spawn_command){array_of_commands[i], array_of_argv == MPI_ARGVS_NULL ? NULL : array_of_argv[i],
                                            array_of_maxprocs[i], array_of_info[i]};
    error = is_root ? check_commands(c, command, count) : MPI_SUCCESS;
    if (error == MPI_SUCCESS)
        error = spawn_commands(c, root, is_root ? command : NULL, is_root ? count : 0, intercomm, array_of_errcodes);
    free(command);
    return error;
}
