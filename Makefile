# Tourney.  `make`, `make check`, `make demo`, `make bench`, `make install`.

VERSION := 1.0
PREFIX  ?= /usr/local
CC      ?= gcc
PYTHON  ?= /usr/bin/python3
B       := build
# The compilers of the MPI libraries: `make MPICC_MPICH=/opt/mpich/bin/mpicc MPICC_OPENMPI=` makes a shim for that one only.
# Where none is named, they are those of the last time; else those that are there; and where none is, both are missed (packaging/needs.sh).
# That for the binary interface of MPI 5 needs no library, since its mpi.h is here.
-include $(B)/families.mk
NAMED   := $(strip $(foreach m,MPICH OPENMPI,$(if $(filter undefined,$(origin MPICC_$(m))),,$(m))))
USUAL   := $(strip $(foreach m,mpicc.mpich mpicc.openmpi,$(if $(shell command -v $(m)),$(m))))
usual_mpicc = $(if $(NAMED)$(USUAL),$(filter $(1),$(USUAL)),$(1))
MPICC_MPICH ?= $(call usual_mpicc,mpicc.mpich)
MPICC_OPENMPI ?= $(call usual_mpicc,mpicc.openmpi)
MPICC_ABI ?= $(CC) -Isrc/shim/library/abi/include
MPICC_mpich := $(MPICC_MPICH)
MPICC_openmpi := $(MPICC_OPENMPI)
MPICC_abi := $(MPICC_ABI)
MPIS    := $(foreach m,$(patsubst src/shim/library/%/,%,$(wildcard src/shim/library/*/)),$(if $(strip $(MPICC_$(m))),$(m)))
# Those that test programs are linked with.
LINKED  := $(filter-out abi,$(MPIS))

GEN     := $(B)/gen
LIB     := $(B)/lib/tourney

CFLAGS  ?= -O2 -g
# Warnings are errors, save those of compilers that are newer than the ones that this was written with.
KNOWN_GCC := 16
WERROR  ?= $(if $(filter 1,$(shell expr "$$($(CC) -dumpversion | cut -d. -f1)" '<=' $(KNOWN_GCC))),-Werror)
WARN    := -Wall -Wextra $(WERROR) -Wmissing-prototypes
CPPFLAGS += -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -Isrc -I$(GEN)
# A switch over kinds of something names all of them, so that none is forgotten when there is a new one.
COMPLETE := -Wswitch-enum
compile_with = $(CC) -std=gnu11 $(CPPFLAGS) $(WARN) $(1) -MMD -MP
COMPILE_TEST = $(call compile_with,$(CFLAGS))
COMPILE  = $(COMPILE_TEST) $(COMPLETE)
# Unit tests take the compiler longer than they run.
COMPILE_UNIT = $(call compile_with,$(CFLAGS:-O2=-O1))

# `make V=1` shows whole commands.
$(V).SILENT:
CAPSTONE ?= -lcapstone
LIBS    := -lpthread -ldw -lelf -lzstd -ljansson -lcadical $(CAPSTONE) -lstdc++ -lm

# Where a target builds first and nobody has said by how many jobs, there is one more than processors: each waits now and then for a file or a shell.
JOBS     = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell expr $$(nproc) + 1))

# The first build is as it is installed; after that, `make` is quick.
.DEFAULT_GOAL := $(if $(wildcard $(B)/tourney),all,optimized)
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

all: $(B)/tourney $(LIB)/libtourney.so $(LIB)/libtourney-faults.so $(LIB)/libtourney-tsan.so $(LIB)/libtourney-coverage.so $(MPIS:%=$(LIB)/libtourney-%.so) $(MPIS:%=$(LIB)/libtourney-%-clock.so) $(B)/deps.ok $(GEN)/options.stamp

# The same as it is installed.
optimized: all $(MPIS:%=$(B)/obj/%/optimized)

# ---- what must be there ----

# Asked once, before anything is built: what is missing is told by the names of packages.  Where the sources of the shims alone
# were installed, it is for others to say.
NEEDS   := $(if $(wildcard packaging/needs.sh),$(B)/needs.ok)
$(B)/needs.ok: packaging/needs.sh packaging/needs.table $(B)/families
	mkdir -p $(@D)
	sh packaging/needs.sh '$(CC) $(filter -I%,$(CPPFLAGS))' $(foreach m,$(MPIS),"$(m)=$(MPICC_$(m))")
	echo '  FOR   $(MPIS)'
	$(foreach m,MPICH OPENMPI,$(if $(filter $(m),$(NAMED))$(MPICC_$(m)),echo 'MPICC_$(m) ?= $(MPICC_$(m))' >> $(B)/families.mk;))
	touch $@

# If the compilers of MPI libraries are others than the last time, all is made anew.  One that was not there, and not named, is looked for again.
FAMILIES := $(foreach m,$(LINKED),$(m)=$(MPICC_$(m)))
BEFORE   := $(shell cat $(B)/families 2> /dev/null)
$(B)/families: $(if $(filter-out $(BEFORE),$(FAMILIES))$(filter-out $(FAMILIES),$(BEFORE)),always)
	mkdir -p $(@D)
	rm -f $(LIB)/libtourney-*.so $@.mk
	echo '$(FAMILIES)' > $@

# ---- the call table ----

GENERATED := $(GEN)/call/calls.c $(GEN)/gate/names.inc $(foreach m,$(MPIS),$(GEN)/shim/$(m)/wrappers.c $(GEN)/shim/$(m)/clock_wrappers.c $(GEN)/shim/$(m)/real.c)

$(GEN)/stamp: src/call/calls.table $(wildcard src/shim/library/*/inner_names src/shim/library/*/include/mpi.h) src/call/generate.py src/call/generated.py src/call/newer.table $(B)/families | $(NEEDS) $(GEN)/findings.stamp
	mkdir -p $(GEN)
	echo '  GEN   src/call/calls.table'
	$(PYTHON) src/call/generate.py --out $(GEN) $(foreach m,$(MPIS),"$(m)=$(MPICC_$(m))")
	touch $@
$(GENERATED): $(GEN)/stamp ;

# ---- the table of finding kinds ----

$(GEN)/findings.stamp: src/call/findings.table src/call/findings.py src/call/generated.py
	mkdir -p $(GEN)
	echo '  GEN   src/call/findings.table'
	$(PYTHON) src/call/findings.py --out $(GEN)
	touch $@
$(addprefix $(GEN)/call/findings.,c h): $(GEN)/findings.stamp ;

# ---- the table of options ----

PAGES    := $(GEN)/doc/tourney.1 $(addprefix $(GEN)/completion/,_tourney tourney.bash tourney.fish)
TEMPLATES := doc/tourney.1.in $(addprefix completion/,_tourney.in tourney.bash.in tourney.fish.in)

$(GEN)/options.stamp: src/options/options.table src/options/generate.py src/call/generated.py $(TEMPLATES)
	mkdir -p $(GEN)
	echo '  GEN   src/options/options.table'
	$(PYTHON) src/options/generate.py --out $(GEN)
	touch $@
$(addprefix $(GEN)/options/option_table.,c h) $(PAGES): $(GEN)/options.stamp ;

# ---- tourney itself ----

# What depends on the processor.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
IN_FLOW := flow flow/$(if $(wildcard src/flow/$(MACHINE)),$(MACHINE),other)
FOLDERS := base library call sem window outcome trace predict $(IN_FLOW) world explore model scenario check journal oracle drive dist play inputs result words symbols diagnosis states report options replay verification command
CORE    := $(wildcard $(FOLDERS:%=src/%/*.c))
OBJECTS := $(CORE:src/%.c=$(B)/obj/%.o) $(patsubst %,$(B)/obj/gen/%.o,calls findings option_table)

$(B)/obj/%.o: src/%.c $(GEN)/stamp | $(GEN)/options.stamp
	mkdir -p $(@D)
	echo '  CC    $<'
	$(COMPILE) -c $< -o $@
$(B)/obj/gen/calls.o: $(GEN)/call/calls.c
$(B)/obj/gen/findings.o: $(GEN)/call/findings.c
$(B)/obj/gen/option_table.o: $(GEN)/options/option_table.c
$(B)/obj/gen/%.o:
	mkdir -p $(@D)
	echo '  CC    $<'
	$(COMPILE) -c $< -o $@

# The page of the HTML report is in git as it was built; `make viewer` builds it anew.
$(B)/obj/report/template.o: viewer/report.html

# The rules of MPI go with the models that tourney writes.
$(B)/obj/model/rules.o: spec/mpi.pml

$(B)/libtourney.a: $(OBJECTS)
	rm -f $@
	echo '  AR    $@'
	ar rcs $@ $^

$(B)/tourney: $(B)/obj/main.o $(B)/libtourney.a
	echo '  LD    $@'
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# ---- the libraries inside the ranks: the gate, and for each MPI a shim for each channel ----

# What is in which library is said by folders.  Both channels of a shim share most of it; a real job has its own
# wrappers, and communicators and collectives of its library.
EVERYWHERE := arch/$(MACHINE) shim/process
IN_GATE  = $(EVERYWHERE) arch/$(MACHINE)/gate library shim/gate
IN_BOTH  = $(EVERYWHERE) call shim/core shim/objects shim/guard shim/bodies shim/library shim/library/$(1)
IN_VIRTUAL = shim/virtual shim/window shim/file shim/library/$(1)/virtual
IN_CLOCK = shim/clock
sources  = $(wildcard $(foreach folder,$(1),src/$(folder)/*.c src/$(folder)/*.S))
objects  = $(patsubst src/%,$(B)/obj/$(1)/%.o,$(basename $(call sources,$(2))))

# What pads variables of the shim is zero: sleeping ranks are compared byte by byte.
SHIM_CFLAGS := -fPIC -fvisibility=hidden
# Before version 16, clang wants to be asked twice.
is_old_clang = $(shell $(1) -dM -E -x c /dev/null 2> /dev/null | awk '$$2 == "__clang_major__" && $$3 < 16')
zeros_for = -ftrivial-auto-var-init=zero$(if $(call is_old_clang,$(1)), -enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang)
ZEROS_gate := $(call zeros_for,$(CC))
COMPILE_SHIM = -std=gnu11 $(CPPFLAGS) $(WARN) $(COMPLETE) $(CFLAGS) $(SHIM_CFLAGS) -MMD -MP
# On a real job it counts what a call costs, a fifth less if all files are optimized as one.  That takes the compiler
# several seconds, so `make` alone links the shims of real jobs as they are; whatever runs them for others, install
# and benchmarks, goes by `optimized`.  Not where tourney compares ranks by their stacks, which are as they are
# written.
is_gcc   = $(shell $(1) -v 2>&1 | grep '^gcc version')
lto_for  = $(if $(and $(call is_gcc,$(CC)),$(call is_gcc,$(MPICC_$(1))),$(if $(findstring -fsanitize,$(CFLAGS)),,yes)),-flto=auto)

$(B)/obj/gate/%.o: src/%.c $(GEN)/stamp
	mkdir -p $(@D)
	echo '  CC    $< [gate]'
	$(CC) $(COMPILE_SHIM) $(ZEROS_gate) -c $< -o $@
$(B)/obj/gate/%.o: src/%.S $(GEN)/stamp
	mkdir -p $(@D)
	echo '  AS    $< [gate]'
	$(CC) $(CPPFLAGS) -MMD -MP -c $< -o $@
$(LIB)/libtourney.so: $(call objects,gate,$(IN_GATE))
	mkdir -p $(@D)
	echo '  LD    $@'
	$(CC) $(CFLAGS) -shared -Wl,-z,now -Wl,-z,relro -Wl,--as-needed -o $@ $^ -ldl

# What has calls of the C library fail (--faults), before the gate.
$(LIB)/libtourney-faults.so: $(call objects,gate,shim/faults)
	mkdir -p $(@D)
	echo '  LD    $@'
	$(CC) $(CFLAGS) -shared -Wl,-z,now -Wl,-z,relro -o $@ $^ -ldl

# In place of the compiler's library for -fsanitize=thread.  Its loops stay loops: they are what memcpy is made of.
$(B)/obj/sanitizer/%.o: src/%.c
	mkdir -p $(@D)
	echo '  CC    $< [sanitizer]'
	$(CC) $(COMPILE_SHIM) -fno-sanitize=all -fno-builtin -fno-tree-loop-distribute-patterns -c $< -o $@
$(LIB)/libtourney-tsan.so: $(call objects,sanitizer,shim/sanitizer)
	mkdir -p $(@D)
	echo '  LD    $@'
	$(CC) -shared -Wl,-z,now -Wl,-z,relro -o $@ $^ -ldl

# What notes which code ranks run, while inputs are tried (--inputs).  Its loops are what memcmp is made of.
$(LIB)/libtourney-coverage.so: $(call objects,sanitizer,shim/coverage)
	mkdir -p $(@D)
	echo '  LD    $@'
	$(CC) -shared -Wl,-z,now -Wl,-z,relro -o $@ $^

define compile_shim_for
	mkdir -p $(@D)
	echo '  CC    $< [$(1)]'
	$(MPICC_$(1)) -I$(GEN)/shim/$(1) $(COMPILE_SHIM) $(ZEROS_$(1)) $(LTO_$(1):%=% -ffat-lto-objects) -c $< -o $@
endef
define shim_rules
LTO_$(1) := $(call lto_for,$(1))
ZEROS_$(1) := $(call zeros_for,$(MPICC_$(1)))
IN_$(1)  := $(call objects,$(1),$(call IN_BOTH,$(1))) $(patsubst %,$(B)/obj/$(1)/gen/%.o,real calls)
$(call objects,$(1),$(call IN_VIRTUAL,$(1))) $(B)/obj/$(1)/gen/wrappers.o: LTO_$(1) := # they are in no library that is optimized as one
$(B)/obj/$(1)/%.o: src/%.c $(GEN)/stamp
	$$(call compile_shim_for,$(1))
$(B)/obj/$(1)/gen/%.o: $(GEN)/shim/$(1)/%.c $(GEN)/stamp
	$$(call compile_shim_for,$(1))
$(B)/obj/$(1)/gen/%.o: $(GEN)/call/%.c $(GEN)/stamp
	$$(call compile_shim_for,$(1))
$(B)/obj/$(1)/%.o: src/%.S
	mkdir -p $$(@D)
	$$(CC) $$(CPPFLAGS) -MMD -MP -c $$< -o $$@
$(LIB)/libtourney-$(1).so: $$(IN_$(1)) $(call objects,$(1),$(call IN_VIRTUAL,$(1))) $(B)/obj/$(1)/gen/wrappers.o
	mkdir -p $$(@D)
	echo '  LD    $$@'
	$$(CC) $$(LDFLAGS) -fno-lto -shared -Wl,-z,now -o $$@ $$^ -ldl -lpthread
	! nm -uD $$@ | grep -v @ | grep -vE ' w | (ompi_|MPI_)' || { echo '$$@ lacks these'; rm $$@; exit 1; }
$(LIB)/libtourney-$(1)-clock.so: $$(IN_$(1)) $(call objects,$(1),$(IN_CLOCK)) $(B)/obj/$(1)/gen/clock_wrappers.o
	mkdir -p $$(@D)
	rm -f $(B)/obj/$(1)/optimized
	echo '  LD    $$@'
	$$(CC) $$(LDFLAGS) -fno-lto -shared -Wl,-z,now -o $$@ $$^ -ldl -lpthread
	! nm -uD $$@ | grep -v @ | grep -vE ' w | (ompi_|MPI_)' || { echo '$$@ lacks these'; rm $$@; exit 1; }
$(B)/obj/$(1)/optimized: $$(IN_$(1)) $(call objects,$(1),$(IN_CLOCK)) $(B)/obj/$(1)/gen/clock_wrappers.o | $(LIB)/libtourney-$(1)-clock.so
	echo '  LTO   $(LIB)/libtourney-$(1)-clock.so'
	$$(CC) $$(LDFLAGS) $$(CFLAGS) $$(LTO_$(1)) -shared -Wl,-z,now -o $(LIB)/libtourney-$(1)-clock.so $$^ -ldl -lpthread
	touch $$@
endef
$(foreach m,$(MPIS),$(eval $(call shim_rules,$(m))))

# The shims alone, with the compiler of a library: what `tourney setup` makes from the sources that are installed.
shims: $(MPIS:%=$(LIB)/libtourney-%.so) $(MPIS:%=$(B)/obj/%/optimized)
SHIM_SOURCES := Makefile $(shell find src/arch src/base src/call src/library src/shim -type f ! -name '*.pyc')

# ---- folders depend one way ----

$(B)/deps.ok: src/deps.txt src/check_deps.py $(wildcard src/*/*.[ch] src/*/*/*.[chS] src/*/*/*/*.[chS])
	mkdir -p $(@D)
	$(PYTHON) src/check_deps.py src
	touch $@

# ---- tests ----

UNIT    := $(patsubst test/unit/%.c,$(B)/test/unit/%,$(filter-out $(if $(filter flow/other,$(IN_FLOW)),test/unit/test_flow.c),$(wildcard test/unit/test_*.c)))
MODEL   := $(patsubst test/model/%.c,$(B)/test/model/%,$(wildcard test/model/*.c))

$(B)/test/unit/%: test/unit/%.c $(B)/libtourney.a
	mkdir -p $(@D)
	echo '  TEST  $@'
	$(COMPILE_UNIT) $< -o $@ $(B)/libtourney.a -lcmocka $(LIBS)
# A part of the gate, without the names that it stands in front of.
HEAP    := $(patsubst %,$(B)/obj/gate/shim/gate/%.o,heap slabs extents)
$(B)/test/unit/test_heap: test/unit/test_heap.c $(HEAP)
	mkdir -p $(@D)
	echo '  TEST  $@'
	$(COMPILE_UNIT) $< -o $@ $(HEAP) -lcmocka -lpthread
$(B)/test/model/%: test/model/%.c $(B)/libtourney.a
	mkdir -p $(@D)
	echo '  TEST  $@'
	$(COMPILE_TEST) $< -o $@ $(B)/libtourney.a $(LIBS)

# The semantics, the search and the drive once more, with their invariants checked after every step (src/base/invariant.h).
WATCHED  := $(patsubst src/%.c,$(B)/watched/%.o,$(wildcard src/sem/*.c src/explore/*.c src/drive/runner.c))
WATCHED_TESTS := $(patsubst %,$(B)/test/watched/%,sem_brute explore_brute test_explore test_invariants tourney)

$(WATCHED): $(B)/watched/%.o: src/%.c $(GEN)/stamp
	mkdir -p $(@D)
	echo '  CC    $< [invariants]'
	$(COMPILE) -DCHECK_INVARIANTS -c $< -o $@
$(B)/test/watched/%: test/model/%.c $(WATCHED) $(B)/libtourney.a
	mkdir -p $(@D)
	echo '  TEST  $@'
	$(COMPILE_TEST) -DCHECK_INVARIANTS $< -o $@ $(WATCHED) $(B)/libtourney.a $(LIBS)
$(B)/test/watched/%: test/unit/%.c $(WATCHED) $(B)/libtourney.a
	mkdir -p $(@D)
	echo '  TEST  $@'
	$(COMPILE_UNIT) -DCHECK_INVARIANTS $< -o $@ $(WATCHED) $(B)/libtourney.a -lcmocka $(LIBS)

# Beside its libraries, as tourney is.
$(B)/test/watched/tourney: $(B)/obj/main.o $(WATCHED) $(B)/libtourney.a
	mkdir -p $(@D)/lib
	echo '  LD    $@'
	ln -sfn $(abspath $(LIB)) $(@D)/lib/tourney
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# Random scenarios before several judges; one of them is a program for each MPI library.
JUDGE   := $(B)/test/model/scenario/judge
$(JUDGE): $(wildcard test/model/scenario/*.[ch]) $(B)/libtourney.a
	mkdir -p $(@D)
	echo '  TEST  $@'
	$(COMPILE_TEST) $(patsubst %,test/model/scenario/%.c,judge brute draft outcome record spin) -o $@ $(B)/libtourney.a $(LIBS)

$(LINKED:%=$(B)/test/model/scenario/mpi-%): $(B)/test/model/scenario/mpi-%: test/model/scenario/mpi.c test/model/scenario/outcome.c $(B)/libtourney.a
	mkdir -p $(@D)
	echo '  TEST  $@'
	$(MPICC_$*) -std=gnu11 $(CPPFLAGS) $(WARN) $(CFLAGS) $(wordlist 1,2,$^) -o $@ $(B)/libtourney.a
SCENARIO_JUDGES := $(JUDGE) $(LINKED:%=$(B)/test/model/scenario/mpi-%)

# Random programs that real MPI libraries run with delays, and tourney searches.
$(LINKED:%=$(B)/test/outside/program-%): $(B)/test/outside/program-%: $(wildcard test/outside/*.[ch])
	mkdir -p $(@D)
	echo '  TEST  $@'
	$(MPICC_$*) -std=gnu11 $(WARN) -g -O1 test/outside/program.c test/outside/draft.c -o $@
OUTSIDE := $(LINKED:%=$(B)/test/outside/program-%)

# N of them; a few are in make check.
outside: packages
	$(MAKE) $(JOBS) optimized $(OUTSIDE)
	$(PYTHON) test/outside/judge.py $(B) $(N)

# Beside its libraries, as tourney is.
$(B)/test/explore/runs $(B)/test/images/looks: $(B)/%: %.c $(B)/libtourney.a
	mkdir -p $(@D)/lib
	echo '  TEST  $@'
	ln -sfn $(abspath $(LIB)) $(@D)/lib/tourney
	$(COMPILE_TEST) $< -o $@ $(B)/libtourney.a $(LIBS)

# Decoders fed with whatever comes: each target with what goes through the inputs that are kept.
# Where bytes are taken apart, sanitizers look on; the rest is as it always is.
FUZZ    := $(patsubst test/fuzz/%.c,%,$(filter-out test/fuzz/fuzz.c test/fuzz/replay.c,$(wildcard test/fuzz/*.c)))
FUZZER  := test/fuzz/replay.c
# To optimize takes the compiler more than twice as long, and the inputs that are kept are soon gone through.
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined
SANITIZE := -O0 $(SANITIZERS)
DECODERS := $(wildcard src/trace/*.c src/journal/*.c src/result/*.c) src/base/mem.c src/call/sound.c src/call/signature.c \
    src/predict/load.c src/predict/execution.c $(wildcard src/scenario/parse*.c) src/scenario/line.c \
    src/shim/clock/decisions.c src/world/reader.c $(patsubst %,src/dist/%.c,deadlock decide dist modules store tale talk)
SANITIZED := $(DECODERS:src/%.c=$(B)/sanitized/%.o)

$(SANITIZED): $(B)/sanitized/%.o: src/%.c $(GEN)/stamp
	mkdir -p $(@D)
	echo '  CC    $< [sanitized]'
	$(COMPILE) $(SANITIZE) -c $< -o $@
$(FUZZ:%=$(B)/test/fuzz/%): $(B)/test/fuzz/%: test/fuzz/%.c test/fuzz/fuzz.c test/fuzz/replay.c $(wildcard test/fuzz/*.h) $(SANITIZED) $(B)/libtourney.a
	mkdir -p $(@D)
	echo '  TEST  $@'
	$(COMPILE_TEST) $(SANITIZE) $< test/fuzz/fuzz.c $(FUZZER) -o $@ $(SANITIZED) $(B)/libtourney.a $(LIBS)

# N random scenarios, and of these a hundredth by SPIN and by both MPI libraries.
N ?= 2000
model: packages
	$(MAKE) $(JOBS) optimized $(SCENARIO_JUDGES)
	$(PYTHON) test/model/scenario/judges.py $(B) $(N) --spin $$(( $(N) / 100 + 25 )) --real $$(( $(N) / 200 + 10 ))

# Jobs of the first library run with the shim as it is installed, those of the others with one as `make` alone links it: both are tried, and the compiler is spared the rest.
tests: all $(patsubst %,$(B)/obj/%/optimized,$(firstword $(LINKED))) $(UNIT) $(MODEL) $(WATCHED_TESTS) $(SCENARIO_JUDGES) $(OUTSIDE) $(FUZZ:%=$(B)/test/fuzz/%) $(B)/test/explore/runs $(B)/test/images/looks

# Those that need no MPI, one after the other.
check-unit: $(UNIT)
	for t in $^; do $$t || exit 1; done

# aarch64, by a cross compiler and qemu-user; as root, with a mirror of Debian.
cross-tests: $(UNIT) $(MODEL)
check-aarch64: packages
	sh test/packages.sh mmdebstrap gcc-aarch64-linux-gnu
	sh test/aarch64/check.sh $(CACHE)/aarch64

packages:
	sh test/packages.sh

# For the tests of the report in a browser, which do without if it cannot be had.
browser:
	sh test/packages.sh chromium || true

check: packages browser
	$(MAKE) $(JOBS) tests
	$(PYTHON) test/check.py $(B)

check-viewer: packages
	sh test/packages.sh chromium
	$(MAKE) $(JOBS) optimized
	$(PYTHON) test/viewer.py $(B)/tourney --browser

# The HTML report's page, from its TypeScript; needs npm.
viewer:
	cd viewer && npm ci --no-audit --no-fund && npm run build

# The semantics in TLA+, checked; needs npm.
check-spec:
	cd spec && npm ci --no-audit --no-fund --ignore-scripts && npm run --silent check

# APPS='hpcc abyss' for these only.
check-apps: packages
	$(MAKE) $(JOBS) optimized
	TOURNEY=$(abspath $(B))/tourney $(PYTHON) test/apps/run.py --install $(APPS)
	TOURNEY=$(abspath $(B))/tourney $(PYTHON) test/apps/verify.py $(APPS)

# All of test/explore on real jobs, 50 times; ROUNDS='--time 600' for what ten minutes bring.
check-dist: packages
	$(MAKE) $(JOBS) tests
	$(PYTHON) test/rounds.py $(B) $(ROUNDS)

# 50 kills, 200 interrupts, a disk that is full at 20 sizes, little shared memory; as root.
check-endurance: packages
	$(MAKE) $(JOBS) tests
	$(PYTHON) test/endurance.py $(B)

# Programs with one-sided communication: those that are called right are right, on both libraries.  Then N random ones before a judge.
check-rma: packages
	$(MAKE) $(JOBS) optimized
	$(PYTHON) test/rma/corpus.py $(B)
	$(PYTHON) test/rma/jobs.py $(B)
	$(PYTHON) test/rma/judge/judge.py $(B) $(N) --real 20

# N random scripts of shared file pointers and partitioned communication before a judge.
check-turns: packages
	$(MAKE) $(JOBS) optimized
	$(PYTHON) test/turns/judge.py $(B) $(N)

# N random scripts of threads that communicate before a judge.
check-threads: packages
	$(MAKE) $(JOBS) optimized
	$(PYTHON) test/threads/judge.py $(B) --count $(N)

# tourney as it is installed makes shims for libraries in prefixes; two minutes of compiling.
check-setup: packages
	$(MAKE) $(JOBS) optimized
	$(PYTHON) test/setup.py $(B)

# Where the systems are set up that some checks need: they stay, so that the next time takes less.
CACHE   ?= $(abspath $(B))/systems

# This system and other releases of Debian, with other compilers, C libraries and MPI libraries, in folders of their own; as root.
RELEASES ?= here trixie sid bullseye
check-distros: packages
	sh test/packages.sh debootstrap
	$(MAKE) $(JOBS) optimized
	sh test/distros/check.sh $(CACHE) $(abspath $(B)) $(RELEASES)

# The same selection as in make check, under srun, on a cluster of one machine that is set up for it.
check-slurm: packages
	sh test/packages.sh slurm-wlm munge
	$(MAKE) $(JOBS) tests
	$(PYTHON) test/slurm.py $(B)

# Real programs that are not there, and cannot be installed, are left out.
bench: packages
	-sh test/packages.sh lammps libpetsc-real-dev libscalapack-openmpi-dev
	$(MAKE) $(JOBS) optimized
	$(PYTHON) bench/run.py
	$(PYTHON) bench/checks.py
	$(PYTHON) bench/explore.py
	$(PYTHON) bench/long.py
	$(PYTHON) bench/first_finding.py
	$(PYTHON) bench/dist.py
	$(PYTHON) bench/predict.py $(B)/tourney

# Sanitizers look on, and invariants are checked after every step.
asan:
	$(MAKE) B=$(B)/asan CFLAGS='-g -O1 $(SANITIZERS) -DCHECK_INVARIANTS' SANITIZE= \
	    $(UNIT:$(B)/%=$(B)/asan/%) $(MODEL:$(B)/%=$(B)/asan/%) $(JUDGE:$(B)/%=$(B)/asan/%) $(FUZZ:%=$(B)/asan/test/fuzz/%)
	for t in $(UNIT:$(B)/%=$(B)/asan/%); do $$t || exit 1; done
	for t in $(FUZZ); do $(B)/asan/test/fuzz/$$t test/fuzz/corpus/$$t 1000 || exit 1; done
	$(B)/asan/test/model/sem_brute 7 500
	$(B)/asan/test/model/explore_brute 7 500
	$(B)/asan/test/model/predict_brute 7 500
	$(B)/asan/test/model/explore_brute 7 100 98303
	$(B)/asan/test/model/dist_brute 7 200
	$(B)/asan/test/model/scenario/judge 7 100
	$(B)/asan/test/model/scenario/judge -e 7 100

# Looks for inputs that decoders cannot bear, T seconds for each; what is new goes to build/fuzz/corpus.
T       ?= 60
fuzz: packages
	sh test/packages.sh clang libclang-rt-14-dev
	$(MAKE) B=$(B)/fuzz CC=clang WARN= SANITIZE= FUZZER=-fsanitize=fuzzer \
	    CFLAGS='-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-sanitize=pointer-overflow' \
	    $(FUZZ:%=$(B)/fuzz/test/fuzz/%)
	sh test/fuzz/run.sh $(B)/fuzz $(T) $(FUZZ)

demo: packages
	$(MAKE) $(JOBS) optimized
	sh examples/demo.sh $(B)/tourney $(B)/examples

# ---- style ----

# Formats the lines that have changed since the last commit as .clang-format says.
format:
	sh test/packages.sh clang-format
	git clang-format --force --quiet --extensions c,h

# The checks of .clang-tidy, the shim with the headers of MPICH.
MPI_INCLUDES = $(filter -I%,$(shell $(MPICC_mpich) -show))
tidy: packages
	sh test/packages.sh clang-tidy
	$(MAKE) $(GEN)/stamp $(GEN)/options.stamp
	mkdir -p $(B)/tidy
	printf '%s\n' -std=gnu11 $(CPPFLAGS) $(addprefix -I$(CURDIR)/,src $(GEN) $(GEN)/shim/mpich) $(MPI_INCLUDES) > $(B)/tidy/compile_flags.txt
	printf '%s\n' $(sort $(filter src/%,$(CORE)) src/main.c $(filter %.c,$(call sources,$(IN_GATE) $(call IN_BOTH,mpich) $(call IN_VIRTUAL,mpich) $(IN_CLOCK)))) | \
	    xargs -P $$(nproc) -n 8 clang-tidy --quiet -p $(B)/tidy

# ---- installation ----

install: optimized
	mkdir -p $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/tourney $(DESTDIR)$(PREFIX)/lib/pkgconfig \
	    $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man7 \
	    $(DESTDIR)$(PREFIX)/share/tourney/examples/scenarios $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	    $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	mkdir -p $(DESTDIR)$(PREFIX)/include
	install -m 755 $(B)/tourney $(DESTDIR)$(PREFIX)/bin/
	install -m 644 include/tourney.h include/tourney_coverage.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(LIB)/*.so $(DESTDIR)$(PREFIX)/lib/tourney/
	install -m 644 $(GEN)/doc/tourney.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	for file in $(SHIM_SOURCES); do install -D -m 644 $$file $(DESTDIR)$(PREFIX)/share/tourney/source/$$file || exit 1; done
	install -m 644 $(GEN)/doc/tourney-calls.7 $(DESTDIR)$(PREFIX)/share/man/man7/
	install -m 644 $(wildcard examples/*.*) $(DESTDIR)$(PREFIX)/share/tourney/examples/
	install -m 644 examples/scenarios/*.scn $(DESTDIR)$(PREFIX)/share/tourney/examples/scenarios/
	install -m 644 $(GEN)/completion/tourney.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/tourney
	install -m 644 $(GEN)/completion/_tourney $(DESTDIR)$(PREFIX)/share/zsh/site-functions/
	install -m 644 $(GEN)/completion/tourney.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/
	sed -e 's,@PREFIX@,$(PREFIX),; s,@VERSION@,$(VERSION),' doc/tourney.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/tourney.pc

# ---- packages ----

# tourney and tourney-shims, in build/deb and build/rpm.
deb:
	sh packaging/deb.sh $(abspath $(B))/deb $(VERSION)
rpm:
	sh packaging/rpm.sh $(abspath $(B))/rpm $(VERSION) $(RPMBUILD)

# Can be unpacked anywhere: tourney finds the libraries that it is linked with beside its own, and so do these each other.
ANYWHERE := -Wl,-rpath,'$$ORIGIN/../lib/tourney/own' -Wl,--disable-new-dtags
tarball: optimized
	rm -rf $(B)/tarball
	$(MAKE) -s install DESTDIR=$(abspath $(B))/tarball/ PREFIX=
	$(CC) $(CFLAGS) $(LDFLAGS) $(ANYWHERE) -o $(B)/tarball/bin/tourney $(B)/obj/main.o $(B)/libtourney.a $(LIBS)
	sh packaging/tarball.sh $(B)/tarball tourney-$(VERSION)-linux-$(MACHINE) $(B)

# All three, in clean systems: what was installed there is used by an ordinary user.  As root, with a mirror of Debian.  The RPM is made
# with Debian's libraries, of which rpm knows nothing.
PACKAGE_RELEASES ?= bookworm trixie
check-packages: packages
	sh test/packages.sh debootstrap build-essential debhelper rpm
	$(MAKE) $(JOBS) deb tarball
	$(MAKE) rpm RPMBUILD="--nodeps --define 'mpicc_mpich mpicc.mpich' --define 'mpicc_openmpi mpicc.openmpi'"
	sh test/distros/packages.sh $(CACHE) $(abspath $(B))/deb $(abspath $(B))/rpm/RPMS $(B)/tourney-$(VERSION)-linux-$(MACHINE).tar.gz $(PACKAGE_RELEASES)

clean:
	rm -rf $(B)

-include $(shell find $(B)/obj $(B)/sanitized $(B)/watched -name '*.d' 2>/dev/null)

.PHONY: always all optimized tests outside packages browser viewer check check-viewer check-spec check-apps check-dist check-endurance check-rma check-turns check-threads check-distros check-setup check-aarch64 cross-tests check-packages check-slurm check-unit deb rpm tarball shims bench asan fuzz demo model format tidy install clean
