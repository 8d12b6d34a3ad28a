#include <lmdb.h>

#ifdef __linux__
// statfs(2), which Swift's Glibc module lacks.
#include <sys/vfs.h>
#endif
