#define _GNU_SOURCE
#include "CDataStoreSystem.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

// No program that another thread starts inherits the pipe.
static int open_pipe(int ends[2]) {
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC);
#else
    if (pipe(ends) != 0) return -1;
    for (int index = 0; index < 2; index++) fcntl(ends[index], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

static int spawn_shell(const char *command, int output, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0) return code;
    if ((code = posix_spawnattr_init(&attributes)) == 0) {
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        // The shell changes none of the words.
        char *const words[] = {"sh", "-c", (char *)command, NULL};
        code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        if (code == 0) code = posix_spawnattr_setsigmask(&attributes, &none);
        if (code == 0) code = posix_spawnattr_setsigdefault(&attributes, &all);
        if (code == 0) code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        if (code == 0) code = posix_spawn(process, "/bin/sh", &actions, &attributes, words, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

int up_spawn_shell(const char *command, int *output) {
    int ends[2];
    if (open_pipe(ends) != 0) return -1;
    pid_t process = -1;
    const int code = spawn_shell(command, ends[1], &process);
    close(ends[1]);
    if (code == 0) {
        *output = ends[0];
        return (int)process;
    }
    close(ends[0]);
    errno = code;
    return -1;
}
