/* What the functions of preload.c share: the names of files, the trace, and what is to fail. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_FILES 65536
/* The function of this name that would have been called without this library. */
#define NEXT(name) \
  ({ static __typeof__(&name) next; if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); next; })

/* Shared with the driver, which writes the rule first and then raises the generation. */
struct control {
  volatile uint32_t generation, hits;
  char rule[1016]; /* skip count errno kinds pattern; a count of 0 is for ever */
};

static char dir[PATH_MAX];
static size_t dir_length;
static int trace = -1;
static struct control *control;
static char *names[MOST_FILES]; /* of the open files below the directory, from there */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  const char *where = getenv("VEDETTE_DISK_DIR"), *to = getenv("VEDETTE_DISK_TRACE");
  const char *by = getenv("VEDETTE_DISK_CONTROL");
  if (!where) return;
  strncpy(dir, where, sizeof dir - 1);
  if (to) trace = NEXT(open64)(to, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (by) {
    int file = NEXT(open64)(by, O_RDWR | O_CLOEXEC);
    void *map = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) control = map;
  }
  dir_length = strlen(dir);
}

/* The name from the directory on, "." for itself; NULL for what is not below it. */
static const char *below(int at, const char *path, char whole[PATH_MAX]) {
  if (!dir_length || !path) return NULL;
  if (path[0] == '/') snprintf(whole, PATH_MAX, "%s", path);
  else {
    char base[PATH_MAX / 2], link[64];
    snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) return NULL;
    snprintf(whole, PATH_MAX, "%.*s/%s", (int)length, base, path);
  }
  if (strncmp(whole, dir, dir_length) != 0) return NULL;
  const char *name = whole + dir_length;
  if (*name == '\0') return ".";
  if (*name != '/') return NULL;
  while (*name == '/') name++;
  return *name ? name : ".";
}

static const char *name_of(int fd) {
  return fd >= 0 && fd < MOST_FILES ? names[fd] : NULL;
}

static uint64_t number_of(int fd) {
  struct stat found;
  return fstat(fd, &found) == 0 ? found.st_ino : 0;
}

static void record(const char *data, size_t length, const char *format, ...) {
  if (trace < 0) return;
  char line[2 * PATH_MAX];
  va_list fields;
  va_start(fields, format);
  size_t head = vsnprintf(line, sizeof line, format, fields);
  va_end(fields);
  char *all = malloc(head + length);
  memcpy(all, line, head);
  if (length) memcpy(all + head, data, length);
  if (NEXT(write)(trace, all, head + length) != (ssize_t)(head + length)) abort();
  free(all);
}

/* Whether this operation is to fail; errno says how. */
static int fails(const char *kind, const char *name) {
  static uint32_t seen, skip, count;
  static int error;
  static char kinds[200], pattern[200], wanted[40];
  if (!control || !control->generation) return 0;
  int hit = 0;
  pthread_mutex_lock(&turn);
  if (seen != control->generation) {
    seen = control->generation;
    if (sscanf(control->rule, "%u %u %d %199s %199s", &skip, &count, &error, kinds, pattern) != 5) abort();
  }
  snprintf(wanted, sizeof wanted, ",%s,", kind);
  if (strstr(kinds, wanted) && fnmatch(pattern, name, 0) == 0) {
    if (skip > 0) skip--;
    else if (count == 0 || control->hits < count) hit = ++control->hits > 0;
  }
  pthread_mutex_unlock(&turn);
  if (hit) errno = error;
  return hit;
}

/* A change and its record are one, so that the trace has the order in which things happened. */
#define CHANGE(change, then) \
  ({ pthread_mutex_lock(&turn); __typeof__(change) done = change; int was = errno; \
     if (done >= 0) { then; } pthread_mutex_unlock(&turn); errno = was; done; })
