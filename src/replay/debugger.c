#include "replay/debugger.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "result/bytes.h"
#include "world/program.h"

/* ---- gdb ---- */

void debugger_check(void)
{
    free(program_find("gdb"));
}

struct words {
    VEC(char *) at; /* owns */
};

static void __attribute__((format(printf, 2, 3))) add_command(struct words *words, const char *format, ...)
{
    char *command;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&command, format, arguments) < 0)
        die("out of memory");
    va_end(arguments);
    vec_push(&words->at, xstrdup("-ex"));
    vec_push(&words->at, command);
}

/*
 * `rank R` goes to the inferior, to the thread that made the call, and to the innermost frame of the program there: where
 * the call was made, or else the first that is not in a library.  `rank R T` goes to thread T of those that were told; gdb counts
 * threads otherwise, so it is known by where it is, and of several there by its number.
 */
static const char rank_command[] =
    "python exec('class Rank(gdb.Command):\\n"
    "  \"\"\"rank R: goes to rank R, to where the program made its call; rank R T: to where thread T of it is\"\"\"\\n"
    "  place = {}\\n"
    "  def __init__(self):\\n"
    "    super().__init__(\"rank\", gdb.COMMAND_STACK)\\n"
    "  def frame_at(self, pc):\\n"
    "    f = gdb.newest_frame()\\n"
    "    while f and f.pc() != pc:\\n"
    "      f = f.older()\\n"
    "    return f\\n"
    "  def frame_of_program(self):\\n"
    "    f = gdb.newest_frame()\\n"
    "    while f and (gdb.solib_name(f.pc()) or not f.name()):\\n"
    "      f = f.older()\\n"
    "    return f\\n"
    "  def go_to_thread(self, number, pc):\\n"
    "    threads = sorted(gdb.selected_inferior().threads(), key=lambda t: (t.num != number + 1, t.num))\\n"
    "    for t in threads if pc else ():\\n"
    "      t.switch()\\n"
    "      f = self.frame_at(pc)\\n"
    "      if f:\\n"
    "        return f\\n"
    "    min(threads, key=lambda t: t.num).switch()\\n"
    "    return self.frame_of_program()\\n"
    "  def invoke(self, argument, terminal):\\n"
    "    words = argument.split()\\n"
    "    if len(words) not in (1, 2) or not all(word.isdigit() for word in words) or int(words[0]) not in self.place:\\n"
    "      raise gdb.GdbError(\"rank R, of %d ranks\" % len(self.place))\\n"
    "    told = [t for t in self.place[int(words[0])] if len(words) == 1 or t[0] == int(words[1])]\\n"
    "    if not told:\\n"
    "      raise gdb.GdbError(\"rank %s tells of no thread %s\" % tuple(words))\\n"
    "    gdb.execute(\"inferior %d\" % (int(words[0]) + 1), to_string=True)\\n"
    "    if not gdb.selected_inferior().pid:\\n"
    "      raise gdb.GdbError(\"rank %s has ended\" % words[0])\\n"
    "    f = self.go_to_thread(*told[0])\\n"
    "    if f:\\n"
    "      f.select()\\n"
    "    if len(self.place[int(words[0])]) > 1:\\n"
    "      print(\"thread %d of rank %s\" % (told[0][0], words[0]))\\n"
    "    gdb.execute(\"frame\")\\n"
    "Rank()')";

/* How gdb ends if another step is wanted: no code of its own. */
enum { CODE_NEXT = 101, CODE_BACK = 102 };

/*
 * `mpi next` and `mpi back` go by one MPI operation of the run.  The ranks cannot go on in gdb, so
 * that ends, and the run is made once more up to there.
 */
static const char step_command[] =
    "python exec('class Mpi(gdb.Command):\\n"
    "  \"\"\"mpi next, mpi back: one MPI operation on, or back, in the order of the run\"\"\"\\n"
    "  def __init__(self):\\n"
    "    super().__init__(\"mpi\", gdb.COMMAND_RUNNING)\\n"
    "  def invoke(self, argument, terminal):\\n"
    "    if argument not in (\"next\", \"back\"):\\n"
    "      raise gdb.GdbError(\"mpi next or mpi back\")\\n"
    "    if argument == \"next\" and %u >= %u:\\n"
    "      raise gdb.GdbError(\"the run ends here, at step %u\")\\n"
    "    if argument == \"back\" and %u <= 1:\\n"
    "      raise gdb.GdbError(\"this is the first step\")\\n"
    "    gdb.execute(\"quit %d\" if argument == \"next\" else \"quit %d\")\\n"
    "Mpi()')";

static void add_rank_commands(struct words *words, const struct debuggee *rank, int ranks)
{
    add_command(words, "%s", rank_command);
    for (int r = 0; r < ranks; r++) {
        if (r > 0)
            add_command(words, "add-inferior");
        add_command(words, "inferior %d", r + 1);
        if (rank[r].pid)
            add_command(words, "attach %d", (int)rank[r].pid);
        add_command(words, "python Rank.place[%d] = []", r);
        for (size_t i = 0; i < rank[r].threads.n; i++)
            add_command(words, "python Rank.place[%d].append((%u, %" PRIu64 "))", r, rank[r].threads.at[i].thread, rank[r].threads.at[i].place);
    }
}

static void add_batch(struct words *words, const struct debuggee *rank, int ranks, const char *const *command,
                      size_t commands)
{
    for (int r = 0; r < ranks; r++) {
        add_command(words, "echo \\nrank %d%s\\n", r, rank[r].pid ? "" : ": no process");
        for (size_t t = 0; t < rank[r].threads.n && rank[r].pid; t++) {
            add_command(words, "rank %d %u", r, rank[r].threads.at[t].thread);
            for (size_t i = 0; i < commands; i++)
                add_command(words, "%s", command[i]);
        }
    }
}

static void add_hint(struct words *words, const struct debuggees *at)
{
    add_command(words, step_command, at->step, at->steps, at->steps, at->step, CODE_NEXT, CODE_BACK);
    add_command(words,
                "echo \\n`rank R' goes to one of the %d rank%s, in its own frame; it is inferior R+1 of gdb.\\n"
                "This is after step %" PRIu32 " of %" PRIu32 ": `mpi next' and `mpi back' go by one MPI operation.\\n"
                "Nobody goes on from here by itself; quit ends the replay.\\n\\n",
                at->ranks, at->ranks == 1 ? "" : "s", at->step, at->steps);
    for (int r = 0; r < at->ranks; r++)
        if (at->rank[r].threads.n > 1)
            add_command(words, "echo Rank %d has several threads: `rank %d T' goes to thread T of it.\\n\\n", r, r);
    if (at->rank[at->first].pid)
        add_command(words, "rank %d", at->first);
}

/* A command that fails, say since a frame is not there, must not keep the others from being done: so no file. */
static struct words gdb_words(const struct debuggees *at, const char *const *command, size_t commands)
{
    struct words words = {0};
    vec_push(&words.at, xstrdup("gdb"));
    vec_push(&words.at, xstrdup("-q"));
    if (commands) {
        vec_push(&words.at, xstrdup("-nx"));
        vec_push(&words.at, xstrdup("-batch"));
    }
    add_command(&words, "set confirm off");
    add_command(&words, "set pagination off");
    add_command(&words, "set schedule-multiple off");
    add_command(&words, "set print inferior-events off");
    add_command(&words, "set print thread-events off");
    add_command(&words, "set debuginfod enabled off");
    add_rank_commands(&words, at->rank, at->ranks);
    if (commands)
        add_batch(&words, at->rank, at->ranks, command, commands);
    else
        add_hint(&words, at);
    vec_push(&words.at, NULL);
    return words;
}

enum debugger_wish debugger_open(const struct debuggees *at, const char *const *command, size_t commands)
{
    struct words words = gdb_words(at, command, commands);
    int status = 0;
    fflush(NULL);
    pid_t gdb = fork();
    if (gdb < 0)
        die("cannot start gdb: %s", strerror(errno));
    if (gdb == 0) {
        signal(SIGXFSZ, SIG_DFL);
        execvp(words.at.at[0], words.at.at);
        _exit(127);
    }
    while (waitpid(gdb, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        die("gdb cannot be run");
    for (size_t i = 0; i < words.at.n; i++)
        free(words.at.at[i]);
    vec_release(&words.at);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return code == CODE_NEXT ? DEBUGGER_NEXT : code == CODE_BACK ? DEBUGGER_BACK : DEBUGGER_ENDS;
}

/* ---- Visual Studio Code ---- */

static const char launch_file[] = ".vscode/launch.json";
static const char prefix[] = "tourney: ";

static json_t *text_json(const char *bytes)
{
    char *text = bytes_to_text(bytes);
    json_t *json = json_string(text);
    free(text);
    return json;
}

static json_t *configuration_json(const char *name, const char *program, pid_t pid)
{
    char number[16];
    snprintf(number, sizeof number, "%d", (int)pid);
    return json_pack("{s:s,s:s,s:s,s:o,s:s,s:s}", "name", name, "type", "cppdbg", "request", "attach", "program",
                     text_json(program), "processId", number, "MIMode", "gdb");
}

/* Its comments, which JSON does not know, or names that are not ours: somebody else's. */
static bool is_our_launch_file(const char *path)
{
    json_t *file = json_load_file(path, 0, NULL), *configuration;
    bool ours = file != NULL;
    size_t i;
    json_array_foreach(json_object_get(file, "configurations"), i, configuration) {
        const char *name = json_string_value(json_object_get(configuration, "name"));
        ours = ours && name && strncmp(name, prefix, strlen(prefix)) == 0;
    }
    json_decref(file);
    return ours;
}

void debugger_write_vscode(const struct debuggee *rank, int ranks, const char *program)
{
    char *path = program_find(program), name[32];
    json_t *configurations = json_array(), *names = json_array();
    if (access(launch_file, F_OK) == 0 && !is_our_launch_file(launch_file))
        die("%s exists and is not of tourney; move it away", launch_file);
    if (mkdir(".vscode", 0777) < 0 && errno != EEXIST)
        die(".vscode: %s", strerror(errno));
    for (int r = 0; r < ranks; r++) {
        if (!rank[r].pid)
            continue;
        snprintf(name, sizeof name, "%srank %d", prefix, r);
        json_array_append_new(configurations, configuration_json(name, path, rank[r].pid));
        json_array_append_new(names, json_string(name));
    }
    json_t *file = json_pack("{s:s,s:o,s:[{s:s,s:o}]}", "version", "0.2.0", "configurations", configurations,
                             "compounds", "name", "tourney: all ranks", "configurations", names);
    if (json_dump_file(file, launch_file, JSON_INDENT(4)) < 0)
        die("cannot write %s", launch_file);
    json_decref(file);
    free(path);
}
