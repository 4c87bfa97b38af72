#include "verification/session.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "result/bytes.h"
#include "result/codec.h"
#include "world/input.h"
#include "world/program.h"

static char *journal_path(const char *dir)
{
    return xformat("%s/journal", dir);
}

/* ---- the head of the journal ---- */

/* Which file it is: one that was built anew is another program. */
static json_t *identity_json(const char *program)
{
    struct stat file;
    char *path = program_find(program);
    if (stat(path, &file) < 0)
        die("%s: %s", path, strerror(errno));
    json_t *json = json_pack("{s:o,s:I,s:I,s:I}", "path", codec_text(path), "size", (json_int_t)file.st_size,
                             "seconds", (json_int_t)file.st_mtim.tv_sec, "nanoseconds",
                             (json_int_t)file.st_mtim.tv_nsec);
    free(path);
    return json;
}

static char *head_text(const struct run_options *options, int argc, char **argv)
{
    char cwd[4096];
    json_t *words = json_array();
    if (!getcwd(cwd, sizeof cwd))
        die("the working directory: %s", strerror(errno));
    for (int i = 0; i < argc; i++)
        json_array_append_new(words, codec_text(argv[i]));
    json_t *head = json_pack("{s:o,s:o,s:o,s:i,s:s*}", "cwd", codec_text(cwd), "command", words, "program",
                             identity_json(options->world.argv[0]), "spawnable", options->world.spawnable, "lessons",
                             options->world.lessons);
    char *text = json_dumps(head, JSON_COMPACT);
    json_decref(head);
    return text;
}

/* ---- a new session ---- */

/* `tourney predict` and `tourney dist` are searches, too. */
static struct run_options options_of_command(int argc, char **argv)
{
    if (strcmp(argv[0], "dist") == 0)
        return options_for_dist(argc, argv);
    return strcmp(argv[0], "predict") == 0 ? options_for_predict(argc, argv) : options_for_verify(argc, argv);
}

struct session session_begin(int argc, char **argv)
{
    struct session session = {.options = options_of_command(argc, argv)};
    free(program_find(session.options.world.argv[0])); /* dies if there is none, before anything is made */
    input_keep(session.options.arguments.quiet);
    session.dir = dir_take(session.options.output);
    return session;
}

void session_open_journal(struct session *session, int argc, char **argv)
{
    session->words = argc;
    session->command = argv;
    char *path = journal_path(session->dir.path), *head = head_text(&session->options, argc, argv);
    session->journal = journal_create(path, head);
    if (!session->journal)
        fprintf(stderr, "tourney: cannot write %s: %s; the search cannot be resumed\n", path, strerror(errno));
    free(path);
    free(head);
}

static void begin_journal_anew(struct session *session)
{
    if (!session->journal)
        return;
    journal_close(session->journal);
    session->journal = NULL;
    session->resumed = false;
    dir_drop_journal(&session->dir);
    session_open_journal(session, session->words, session->command);
}

/* What was written down with fewer ranks says nothing to a search with more. */
void session_allow_spawn(struct session *session, int spawnable)
{
    options_allow_spawn(&session->options, spawnable);
    begin_journal_anew(session);
}

void session_heed_lessons(struct session *session, const char *lessons)
{
    session->options.world.lessons = lessons;
    begin_journal_anew(session);
}

/* ---- one that goes on ---- */

/* A head whose sum is right may still be somebody else's. */
static bool head_is_whole(const json_t *head)
{
    const json_t *words = json_object_get(head, "command");
    size_t n = json_array_size(words), i = 0;
    while (i < n && json_is_string(json_array_get(words, i)))
        i++;
    return n > 0 && n <= INT_MAX && i == n && json_is_string(json_object_get(head, "cwd"));
}

static void go_to(const json_t *head, const char *dir)
{
    char *cwd = bytes_of_text(json_string_value(json_object_get(head, "cwd")));
    if (chdir(cwd) < 0)
        die("%s was searched in %s: %s", dir, cwd, strerror(errno));
    free(cwd);
}

static char **command_in_head(const json_t *head, int *argc)
{
    const json_t *words = json_object_get(head, "command");
    *argc = (int)json_array_size(words);
    char **argv = xcalloc((size_t)*argc + 1, sizeof *argv);
    for (int i = 0; i < *argc; i++)
        argv[i] = bytes_of_text(json_string_value(json_array_get(words, (size_t)i)));
    return argv;
}

static void check_program(const json_t *head, const char *dir, const char *program)
{
    json_t *identity = identity_json(program);
    if (!json_equal(identity, json_object_get(head, "program")))
        die("%s was built anew since %s was searched; search it anew", program, dir);
    json_decref(identity);
}

static struct journal *open_journal(const char *dir)
{
    const char *error;
    char *path = journal_path(dir);
    struct journal *journal = journal_open(path, &error);
    if (!journal)
        die("%s %s", path, error);
    struct journal_count count = journal_count(journal);
    if (count.dropped_bytes)
        fprintf(stderr, "tourney: %s was not written to its end; %" PRIu64 " bytes are left out\n", path,
                count.dropped_bytes);
    if (count.recorded)
        bug_suspect(path);
    free(path);
    return journal;
}

static int spawnable_in_head(const json_t *head, int most)
{
    json_int_t spawnable = json_integer_value(json_object_get(head, "spawnable"));
    return spawnable < 0 || spawnable > most + 1 ? 0 : (int)spawnable;
}

static uint64_t runs_in_result(const char *dir)
{
    struct result result = dir_read(dir);
    uint64_t runs = result.runs;
    result_release(&result);
    return runs;
}

/* The old bounds are over, and may be set anew. */
struct session session_resume(int argc, char **argv)
{
    struct run_options anew = options_for_resume(argc, argv);
    struct session session = {
        .dir = dir_go_on(anew.output), .resumed = true, .options.arguments.color = anew.arguments.color};
    if (!dir_has_journal(&session.dir))
        return session;
    session.journal = open_journal(anew.output);
    session.runs_before = runs_in_result(anew.output);
    json_t *head = json_loads(journal_world(session.journal), 0, NULL);
    int words;
    if (!head_is_whole(head))
        die("%s: the journal's head cannot be read", anew.output);
    go_to(head, anew.output);
    session.argv = command_in_head(head, &words);
    session.command = session.argv;
    session.words = words;
    session.options = options_of_command(words, session.argv);
    if (session.options.engine == ENGINE_PATHS)
        die("%s: a search with --engine=paths cannot be resumed, since what ranks depend on is not in the journal", anew.output);
    if (session.options.engine == ENGINE_PREDICT)
        session.options.engine = ENGINE_AUTO; /* what one run could tell, was told */
    check_program(head, anew.output, session.options.world.argv[0]);
    session.options.arguments.max_runs = anew.arguments.max_runs;
    session.options.arguments.time = session.options.world.seconds = anew.arguments.time;
    session.options.arguments.quiet = anew.arguments.quiet;
    session.options.arguments.color = anew.arguments.color;
    session.options.jobs = anew.jobs;
    options_allow_spawn(&session.options, spawnable_in_head(head, session.options.world.most_spawned));
    const char *lessons = json_string_value(json_object_get(head, "lessons"));
    session.options.world.lessons = session.lessons = lessons ? xstrdup(lessons) : NULL;
    input_keep(anew.arguments.quiet);
    json_decref(head);
    return session;
}

bool session_is_catching_up(const struct session *session)
{
    if (!session->resumed)
        return false;
    struct journal_count count = journal_count(session->journal);
    return count.told < count.recorded;
}

void session_end(struct session *session)
{
    free(session->lessons);
    if (session->journal)
        journal_close(session->journal);
    for (char **word = session->argv; word && *word; word++)
        free(*word);
    free(session->argv);
    dir_release(&session->dir);
}
