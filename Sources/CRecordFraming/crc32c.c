#include "CRecordFraming.h"
