#ifndef CDATASTOREPOSTGRES_SHIM_H
#define CDATASTOREPOSTGRES_SHIM_H

#include <libpq-fe.h>

#endif
