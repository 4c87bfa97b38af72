#include "world/original_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "base/hash.h"
#include "call/file_store.h"
#include "world/call_path.h"
#include "world/kernel_effect.h"

enum { MOST_KEPT = 64 << 20 }; /* bytes, of all files together: they are in memory */

/* ---- which files a call is about ---- */

struct call_name {
    int folder;
    uint64_t address;
};

/* Those that it makes, changes or removes; and whether it opens the first of them, and how. */
struct call_names {
    struct call_name name[2];
    int n;
    bool opens;
    uint64_t how; /* flags of open */
};

static struct call_names one_name(int folder, uint64_t address)
{
    return (struct call_names){.name = {{folder, address}}, .n = 1};
}

static struct call_names two_names(int folder, uint64_t address, int second_folder, uint64_t second)
{
    return (struct call_names){.name = {{folder, address}, {second_folder, second}}, .n = 2};
}

static struct call_names opened_name(int folder, uint64_t address, uint64_t how)
{
    struct call_names names = one_name(folder, address);
    names.opens = true;
    names.how = how;
    return names;
}

static struct call_names names_of_call(const struct seccomp_data *call)
{
    const __u64 *arg = call->args;
    switch (call->arch == MACHINE_OF_KERNEL ? call->nr : -1) {
    case SYS_open:
        return opened_name(AT_FDCWD, arg[0], arg[1]);
    case SYS_creat:
        return opened_name(AT_FDCWD, arg[0], O_CREAT | O_TRUNC | O_WRONLY);
    case SYS_openat:
        return opened_name((int)arg[0], arg[1], arg[2]);
    case SYS_stat:
    case SYS_lstat:
    case SYS_access:
    case SYS_unlink:
    case SYS_rmdir:
    case SYS_mkdir:
    case SYS_truncate:
        return one_name(AT_FDCWD, arg[0]);
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_faccessat:
    case SYS_faccessat2:
    case SYS_unlinkat:
    case SYS_mkdirat:
        return one_name((int)arg[0], arg[1]);
    case SYS_rename:
        return two_names(AT_FDCWD, arg[0], AT_FDCWD, arg[1]);
    case SYS_renameat:
    case SYS_renameat2:
        return two_names((int)arg[0], arg[1], (int)arg[2], arg[3]);
    case SYS_link:
    case SYS_symlink:
        return one_name(AT_FDCWD, arg[1]);
    case SYS_linkat:
        return one_name((int)arg[2], arg[3]);
    case SYS_symlinkat:
        return one_name((int)arg[1], arg[2]);
    default:
        return (struct call_names){.n = 0};
    }
}

static bool opens_to_read(const struct call_names *names)
{
    return names->opens && !(names->how & (O_CREAT | O_TRUNC)) && (names->how & O_ACCMODE) == O_RDONLY;
}

/* Whatever way the process takes to it; the file itself need not be there.  False: nor is its folder. */
static bool find_named_path(pid_t pid, struct call_name name, char path[PATH_MAX])
{
    char said[PATH_MAX], place[CALL_PATH_ROOM];
    if (!call_path_read(pid, name.address, said) || !*said)
        return false;
    call_path_place(pid, name.folder, said, place);
    if (realpath(place, path))
        return true;
    char *last = strrchr(place, '/');
    if (last == place || !last[1])
        return false;
    *last = '\0';
    size_t room = PATH_MAX - strlen(last + 1) - 1;
    if (!realpath(place, path) || strlen(path) >= room)
        return false;
    strcat(strcat(path, "/"), last + 1);
    return true;
}

/* What the kernel shows as files, and devices; and what tourney keeps for the rank. */
static bool is_elsewhere(const char *path)
{
    return strstr(path, "/" FILE_BASE_FOLDER "/") || strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0 ||
           (strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0);
}

static struct map_key path_key(const char *path)
{
    size_t n = strlen(path);
    return map_key2(hash_bytes(1, path, n), hash_bytes(2, path, n));
}

/* ---- views ---- */

static bool is_own_file(const struct file_view *view, uint32_t number)
{
    for (size_t i = 0; i < view->own.n; i++)
        if (view->own.at[i] == number)
            return true;
    return false;
}

static bool sees_change(const struct original_files *files, const struct file_view *view, uint32_t number)
{
    return files->file.at[number].change < view->changes || is_own_file(view, number);
}

static void note_own_file(const struct original_files *files, struct file_view *view, uint32_t number)
{
    if (!sees_change(files, view, number))
        vec_push(&view->own, number);
}

/* What it sees anyway is not kept. */
void file_view_set(struct file_view *view, const struct original_files *files, uint32_t changes)
{
    size_t kept = 0;
    view->changes = changes;
    for (size_t i = 0; i < view->own.n; i++)
        if (files->file.at[view->own.at[i]].change >= changes)
            view->own.at[kept++] = view->own.at[i];
    view->own.n = kept;
}

struct file_view file_view_copy(const struct file_view *view)
{
    struct file_view copy = {.changes = view->changes};
    vec_copy(&copy.own, &view->own);
    return copy;
}

void file_view_release(struct file_view *view)
{
    vec_release(&view->own);
}

/* ---- noting ---- */

static int kept_contents(const char *path, uint64_t bytes)
{
    int from = open(path, O_RDONLY | O_CLOEXEC), to = from < 0 ? -1 : memfd_create("original", MFD_CLOEXEC);
    uint64_t left = bytes;
    ssize_t n = 1;
    while (to >= 0 && left && (n = sendfile(to, from, NULL, left)) > 0)
        left -= (uint64_t)n;
    if (from >= 0)
        close(from);
    if (to >= 0 && left) {
        close(to);
        to = -1;
    }
    return to;
}

static void note_made(struct original_files *files, const char *path, rank_t rank)
{
    if (files->made.n < MOST_MADE_FILES)
        vec_push(&files->made, (struct made_file){xstrdup(path), rank});
}

static struct original_file look_at_original(struct original_files *files, const char *path, rank_t rank)
{
    struct stat kind;
    struct original_file file = {.was_there = lstat(path, &kind) == 0, .contents = -1, .changed_by = rank};
    if (!file.was_there)
        note_made(files, path, rank);
    if (!file.was_there || !S_ISREG(kind.st_mode) || (uint64_t)kind.st_size > MOST_KEPT - files->bytes)
        return file;
    file.contents = kept_contents(path, (uint64_t)kind.st_size);
    files->bytes += file.contents >= 0 ? (uint64_t)kind.st_size : 0;
    return file;
}

static uint32_t add_original(struct original_files *files, const char *path, struct original_file file)
{
    uint32_t number = (uint32_t)files->file.n;
    map_put(&files->number, path_key(path), number);
    vec_push(&files->file, file);
    return number;
}

static uint32_t number_of_changed(struct original_files *files, const char *path, rank_t rank)
{
    uint32_t number;
    if (!map_get(&files->number, path_key(path), &number)) {
        number = add_original(files, path, look_at_original(files, path, rank));
        files->file.at[number].change = files->changes++;
    } else if (files->file.at[number].change == CHANGED_BEFORE) {
        files->file.at[number].change = files->changes++;
    }
    return number;
}

void original_files_note(struct original_files *files, struct file_view *view, pid_t pid, rank_t rank,
                         const struct seccomp_data *call)
{
    struct call_names names = names_of_call(call);
    char path[PATH_MAX];
    if (kernel_effect_is_question(call->nr) || opens_to_read(&names))
        return;
    for (int i = 0; i < names.n; i++)
        if (find_named_path(pid, names.name[i], path) && !is_elsewhere(path))
            note_own_file(files, view, number_of_changed(files, path, rank));
}

void original_files_open(struct original_files *files, const made_files_t *made)
{
    for (size_t i = 0; i < made->n; i++) {
        const struct made_file *file = &made->at[i];
        struct original_file before = {.change = CHANGED_BEFORE, .contents = -1, .changed_by = file->rank};
        add_original(files, file->path, before);
        note_made(files, file->path, file->rank);
    }
}

void original_files_release(struct original_files *files)
{
    for (size_t i = 0; i < files->file.n; i++)
        if (files->file.at[i].contents >= 0)
            close(files->file.at[i].contents);
    vec_release(&files->file);
    vec_release_each(&files->made, made_file_release);
    map_release(&files->number);
}

static bool is_in_list(const made_files_t *files, const char *path)
{
    for (size_t i = 0; i < files->n; i++)
        if (strcmp(files->at[i].path, path) == 0)
            return true;
    return false;
}

void original_files_tell_made(const struct original_files *files, made_files_t *list)
{
    for (size_t i = 0; i < files->made.n && list->n < MOST_MADE_FILES; i++)
        if (!is_in_list(list, files->made.at[i].path))
            vec_push(list, (struct made_file){xstrdup(files->made.at[i].path), files->made.at[i].rank});
}

/* ---- answering ---- */

static const struct original_answer no_answer = {.given = false, .opened = -1};

static struct original_answer answer_with_error(int error)
{
    return (struct original_answer){.given = true, .error = error, .opened = -1};
}

/* Each who opens it reads from its beginning. */
static struct original_answer answer_with_contents(const struct original_file *file)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file->contents);
    int opened = open(path, O_RDONLY | O_CLOEXEC);
    return (struct original_answer){.given = opened >= 0, .opened = opened};
}

/*
 * The rank insists on making it, and has done so in another run: it makes it anew.  Otherwise it stays what it is, with what all runs write.  Nor what
 * MPI calls write, which other ranks have open; each run knows what is in it anyway (call/file_store.h).
 */
static void forget_own_work(const struct original_file *file, const char *path, rank_t rank)
{
    struct stat kind;
    if (file->changed_by == rank && lstat(path, &kind) == 0 && S_ISREG(kind.st_mode) && kind.st_mtim.tv_nsec != FILE_BASE_MARK)
        unlink(path);
}

static bool makes_folder(const struct seccomp_data *call)
{
    return call->nr == SYS_mkdir || call->nr == SYS_mkdirat;
}

/* It was not there. */
static struct original_answer answer_of_new(const struct original_file *file, const char *path, rank_t rank,
                                            const struct seccomp_data *call, const struct call_names *names)
{
    struct stat kind;
    if (makes_folder(call))
        return stat(path, &kind) == 0 && S_ISDIR(kind.st_mode) ? answer_with_error(0) : no_answer;
    if (names->opens && names->how & O_CREAT) {
        if (names->how & O_EXCL)
            forget_own_work(file, path, rank);
        return no_answer;
    }
    bool makes = call->nr == SYS_link || call->nr == SYS_linkat || call->nr == SYS_symlink || call->nr == SYS_symlinkat;
    return makes ? no_answer : answer_with_error(ENOENT);
}

struct original_answer original_files_answer(const struct original_files *files, const struct file_view *view, pid_t pid,
                                             rank_t rank, const struct seccomp_data *call)
{
    struct call_names names = names_of_call(call);
    char path[PATH_MAX];
    uint32_t number;
    if (view->changes == files->file.n || !names.n || !find_named_path(pid, names.name[0], path) ||
        !map_get(&files->number, path_key(path), &number) || sees_change(files, view, number))
        return no_answer;
    const struct original_file *file = &files->file.at[number];
    if (!file->was_there)
        return answer_of_new(file, path, rank, call, &names);
    return opens_to_read(&names) && file->contents >= 0 ? answer_with_contents(file) : no_answer;
}
