#ifndef CDATASTORELMDB_SHIM_H
#define CDATASTORELMDB_SHIM_H

#include <lmdb.h>

#endif
