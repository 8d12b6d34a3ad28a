#include <lmdb.h>

#ifdef __linux__
// statfs(2), which Swift's Glibc does not bring.
#include <sys/vfs.h>
#endif
