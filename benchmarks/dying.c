/* Ends the process at the n-th call that changes a file: preload it, and say n in DIE_AT.

   The number of calls until a normal end is written to the file that DIE_COUNT names. Only the
   process that finds DIE_AT dies, not those that it starts. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;
static long last;
static char report[4096];

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("DIE_AT"), *to = getenv("DIE_COUNT");
    last = at ? atol(at) : 0;
    if (to) snprintf(report, sizeof report, "%s", to);
    unsetenv("DIE_AT");
    unsetenv("DIE_COUNT");
}

__attribute__((destructor)) static void end(void) {
    FILE *file = report[0] ? fopen(report, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", (long)calls);
        fclose(file);
    }
}

static void count(void) {
    if (atomic_fetch_add(&calls, 1) + 1 == last) kill(getpid(), SIGKILL);
}

static int is_file(int file) {
    struct stat what;
    return fstat(file, &what) == 0 && S_ISREG(what.st_mode);
}

#define ON_FILE(type, name, declared, ...)                              \
    type name declared {                                                \
        static type(*real) declared;                                    \
        if (!real) real = (type(*) declared)dlsym(RTLD_NEXT, #name);    \
        if (is_file(file)) count();                                     \
        return real(__VA_ARGS__);                                       \
    }
#define ON_PATH(name, declared, ...)                                    \
    int name declared {                                                 \
        static int(*real) declared;                                     \
        if (!real) real = (int(*) declared)dlsym(RTLD_NEXT, #name);     \
        count();                                                        \
        return real(__VA_ARGS__);                                       \
    }

ON_FILE(ssize_t, write, (int file, const void *text, size_t size), file, text, size)
ON_FILE(ssize_t, pwrite, (int file, const void *text, size_t size, off_t at), file, text, size, at)
ON_FILE(ssize_t, pwrite64, (int file, const void *text, size_t size, off64_t at), file, text, size, at)
ON_FILE(int, fsync, (int file), file)
ON_FILE(int, fdatasync, (int file), file)
ON_FILE(int, ftruncate, (int file, off_t size), file, size)
ON_FILE(int, ftruncate64, (int file, off64_t size), file, size)
ON_PATH(rename, (const char *old, const char *new), old, new)
ON_PATH(renameat, (int at, const char *old, int to, const char *new), at, old, to, new)
ON_PATH(unlink, (const char *path), path)
ON_PATH(mkdir, (const char *path, mode_t mode), path, mode)
