#include "inputs/corpus.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/hash.h"

static const char ours[] = "tourney-";

static int by_owner_and_name(const void *a, const void *b)
{
    const struct corpus_file *x = a, *y = b;
    return x->ours != y->ours ? x->ours - y->ours : strcmp(x->name, y->name);
}

static bool is_plain_file(const char *folder, const char *name)
{
    struct stat file;
    char *path = xformat("%s/%s", folder, name);
    bool plain = stat(path, &file) == 0 && S_ISREG(file.st_mode);
    free(path);
    return plain;
}

void corpus_open(struct corpus *corpus, const char *folder)
{
    *corpus = (struct corpus){.folder = folder};
    DIR *dir = opendir(folder);
    if (!dir)
        die("--inputs: %s: %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && is_plain_file(folder, entry->d_name))
            vec_push(&corpus->files,
                     (struct corpus_file){xstrdup(entry->d_name), strncmp(entry->d_name, ours, sizeof ours - 1) == 0});
    closedir(dir);
    if (!corpus->files.n)
        die("--inputs: %s has no file: put an input there to begin with", folder);
    if (access(folder, W_OK) < 0)
        die("--inputs: %s: inputs cannot be added to it: %s", folder, strerror(errno));
    qsort(corpus->files.at, corpus->files.n, sizeof *corpus->files.at, by_owner_and_name);
}

static void corpus_file_release(struct corpus_file *file)
{
    free(file->name);
}

void corpus_release(struct corpus *corpus)
{
    vec_release_each(&corpus->files, corpus_file_release);
}

input_bytes_t corpus_read(const struct corpus *corpus, size_t number)
{
    input_bytes_t bytes = {0};
    char *path = xformat("%s/%s", corpus->folder, corpus->files.at[number].name);
    FILE *file = fopen(path, "re");
    size_t got = file ? 1 : 0;
    while (got) {
        vec_reserve(&bytes, 65536);
        got = fread(bytes.at + bytes.n, 1, 65536, file);
        bytes.n += got;
    }
    if (!file || ferror(file))
        die("--inputs: %s: %s", path, strerror(errno));
    fclose(file);
    free(path);
    return bytes;
}

void corpus_write(const char *folder, const char *name, const input_bytes_t *bytes)
{
    char *path = xformat("%s/%s", folder, name);
    FILE *file = fopen(path, "we");
    bool failed = !file || (bytes->n && fwrite(bytes->at, bytes->n, 1, file) != 1);
    if (file && fclose(file) != 0)
        failed = true;
    if (failed)
        die("the input %s cannot be written: %s", path, strerror(errno));
    free(path);
}

void corpus_remove(const struct corpus *corpus, const char *name)
{
    char *path = xformat("%s/%s", corpus->folder, name);
    unlink(path);
    free(path);
}

char *corpus_name(const input_bytes_t *bytes, const char *from)
{
    const char *end = strrchr(from, '.');
    return xformat("%s%016" PRIx64 "%s", ours, hash_bytes(1, bytes->at, bytes->n), end ? end : "");
}
