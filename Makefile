# objectid: MongoDB's ObjectId as a PostgreSQL type

EXTENSION = objectid
MODULE_big = objectid
EXTRA_CLEAN = objectid.server
OBJS = objectid.o objectid_time.o objectid_generator.o objectid_index.o objectid_selfuncs.o
DATA = $(notdir $(wildcard $(srcdir)/objectid--*.sql))
PGFILEDESC = "objectid - MongoDB ObjectId for PostgreSQL"

PG_CONFIG ?= pg_config
PG_MAJOR := $(shell $(PG_CONFIG) --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
since = $(shell test $(PG_MAJOR) -ge $(1) && echo $(2))

# the control file is the only place with the version
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" $(dir $(lastword $(MAKEFILE_LIST)))objectid.control)

# no warnings about core's headers
PG_CPPFLAGS = -DOBJECTID_VERSION='"$(EXTVERSION)"' \
	-isystem $(shell $(PG_CONFIG) --includedir-server)

# with -Wextra: a callback need not use all its arguments
# the server may have been built by gcc with options that clang does not know
PG_CFLAGS = -Wno-unused-parameter $(if $(findstring clang,$(CC)),-Wno-ignored-optimization-argument -Wno-unknown-warning-option)

# one file for each topic; some features exist on newer servers only
REGRESS = setup input input_errors $(call since,16,input_soft) binary casts \
	operators btree $(call since,18,btree_skip) hash aggregates time generate \
	instants instants_plans periods planner_shapes neutral window $(call since,17,window_infinity) \
	brin partition estimates gist $(call since,18,gist_temporal) gin \
	types queries security $(call since,17,json_table) \
	catalog drop install

ifneq ($(and $(wildcard $(shell $(PG_CONFIG) --includedir-server)/postgres.h),$(call since,15,headers)),headers)
$(error $(PG_CONFIG) finds no server headers of PostgreSQL 15 or later: install them (Debian: postgresql-server-dev-$(or $(PG_MAJOR),NN); \
	RPM: postgresql$(or $(PG_MAJOR),NN)-devel), or set PG_CONFIG)
endif

PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

$(OBJS) $(OBJS:.o=.bc): objectid.h objectid_compat.h objectid.control objectid.server

# what was built for another server is built again
objectid.server: FORCE
	@$(PG_CONFIG) --version --pkglibdir | cmp -s - $@ || $(PG_CONFIG) --version --pkglibdir >$@
.PHONY: FORCE

# The archive for PGXN, from which packages are built: the last commit.  PGXN requires a
# version of three numbers.
DIST = objectid-$(EXTVERSION)$(if $(word 3,$(subst ., ,$(EXTVERSION))),,.0)
.PHONY: dist
dist:
	git archive --format=zip --prefix=$(DIST)/ --output=$(DIST).zip HEAD
