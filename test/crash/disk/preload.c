/*
 * Loaded in front of the C library of a program (LD_PRELOAD). Below one directory it writes down
 * every change of a file or a folder, and lets operations fail as a broken disk would.
 *
 *   VEDETTE_DISK_DIR      the directory, by its real path
 *   VEDETTE_DISK_TRACE    the trace, a file elsewhere; nothing is written down without it
 *   VEDETTE_DISK_CONTROL  a file elsewhere, of the size of `struct control`, with what is to fail
 *
 * A record of the trace is a line, its fields parted by tabs, and what a write wrote behind it. It is
 * appended by one call, so that the driver of a test may append records of its own.
 */
#define _GNU_SOURCE
#include "disk.h"

static int opened(int at, const char *path, int flags, mode_t mode) {
  char whole[PATH_MAX];
  const char *name = below(at, path, whole);
  if (!name) return NEXT(openat64)(at, path, flags, mode);
  int is_new = (flags & O_CREAT) && faccessat(at, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
  if (fails(is_new ? "create" : "open", name)) return -1;
  return CHANGE(NEXT(openat64)(at, path, flags, mode), {
    /* What is opened to be listed is closed by ways that do not come by here. */
    if (done < MOST_FILES && !(flags & O_DIRECTORY)) names[done] = strdup(name);
    if (is_new) record(NULL, 0, "create\t%lu\t%s\n", number_of(done), name);
    else if (flags & O_TRUNC) record(NULL, 0, "truncate\t%lu\t0\n", number_of(done));
  });
}

#define MODE(flags) \
  va_list more; \
  va_start(more, flags); \
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
  va_end(more)
#define SAME(as) __attribute__((alias(as)))

int open(const char *path, int flags, ...) {
  MODE(flags);
  return opened(AT_FDCWD, path, flags, mode);
}
int openat(int at, const char *path, int flags, ...) {
  MODE(flags);
  return opened(at, path, flags, mode);
}
int creat(const char *path, mode_t mode) {
  return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int open64(const char *path, int flags, ...) SAME("open");
int openat64(int at, const char *path, int flags, ...) SAME("openat");

static void forget(int fd) {
  if (!name_of(fd)) return;
  pthread_mutex_lock(&turn);
  free(names[fd]);
  names[fd] = NULL;
  pthread_mutex_unlock(&turn);
}

int close(int fd) {
  forget(fd);
  return NEXT(close)(fd);
}

static void wrote(int fd, const char *data, size_t length, off_t at) {
  /* Whatever offset was asked for: what is opened for appending goes to the end. */
  struct stat found;
  if (fcntl(fd, F_GETFL) & O_APPEND) at = fstat(fd, &found) == 0 ? found.st_size - (off_t)length : 0;
  else if (at < 0) at = lseek(fd, 0, SEEK_CUR) - (off_t)length;
  record(data, length, "write\t%lu\t%ld\t%lu\n", number_of(fd), at, length);
}

static void wrote_all(int fd, const struct iovec *parts, int count, size_t length, off_t at) {
  char *data = malloc(length);
  size_t have = 0;
  for (int part = 0; part < count && have < length; part++) {
    size_t more = parts[part].iov_len < length - have ? parts[part].iov_len : length - have;
    memcpy(data + have, parts[part].iov_base, more);
    have += more;
  }
  wrote(fd, data, length, at);
  free(data);
}

#define WRITING(type, call, then) \
  const char *name = name_of(fd); \
  if (!name) return call; \
  if (fails("write", name)) return -1; \
  return CHANGE(call, then)

ssize_t write(int fd, const void *data, size_t length) {
  WRITING(ssize_t, NEXT(write)(fd, data, length), wrote(fd, data, done, -1));
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
  WRITING(ssize_t, NEXT(pwrite64)(fd, data, length, at), wrote(fd, data, done, at));
}
ssize_t pwrite64(int fd, const void *data, size_t length, off_t at) SAME("pwrite");
ssize_t writev(int fd, const struct iovec *parts, int count) {
  WRITING(ssize_t, NEXT(writev)(fd, parts, count), wrote_all(fd, parts, count, done, -1));
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  WRITING(ssize_t, NEXT(pwritev64)(fd, parts, count, at), wrote_all(fd, parts, count, done, at));
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t at) SAME("pwritev");

#define READING(call) return name_of(fd) && fails("read", name_of(fd)) ? -1 : call

ssize_t read(int fd, void *data, size_t length) { READING(NEXT(read)(fd, data, length)); }
ssize_t readv(int fd, const struct iovec *parts, int count) { READING(NEXT(readv)(fd, parts, count)); }
ssize_t pread(int fd, void *data, size_t length, off_t at) { READING(NEXT(pread64)(fd, data, length, at)); }
ssize_t pread64(int fd, void *data, size_t length, off_t at) SAME("pread");
ssize_t preadv(int fd, const struct iovec *parts, int count, off_t at) {
  READING(NEXT(preadv64)(fd, parts, count, at));
}
ssize_t preadv64(int fd, const struct iovec *parts, int count, off_t at) SAME("preadv");

int ftruncate(int fd, off_t size) {
  const char *name = name_of(fd);
  if (!name) return NEXT(ftruncate64)(fd, size);
  if (fails("truncate", name)) return -1;
  return CHANGE(NEXT(ftruncate64)(fd, size), record(NULL, 0, "truncate\t%lu\t%ld\n", number_of(fd), size));
}
int ftruncate64(int fd, off_t size) SAME("ftruncate");

int truncate(const char *path, off_t size) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  int done = fd < 0 ? -1 : ftruncate(fd, size), was = errno;
  if (fd >= 0) close(fd);
  errno = was;
  return done;
}
int truncate64(const char *path, off_t size) SAME("truncate");

int fallocate(int fd, int mode, off_t at, off_t length) {
  if (!name_of(fd)) return NEXT(fallocate64)(fd, mode, at, length);
  if (fails("truncate", name_of(fd))) return -1;
  return CHANGE(NEXT(fallocate64)(fd, mode, at, length), {
    if (mode & FALLOC_FL_PUNCH_HOLE) record(NULL, 0, "zero\t%lu\t%ld\t%ld\n", number_of(fd), at, length);
    else record(NULL, 0, "grow\t%lu\t%ld\n", number_of(fd), at + length);
  });
}
int fallocate64(int fd, int mode, off_t at, off_t length) SAME("fallocate");

/* Others may write meanwhile: what was written before it began is on the disk when it has ended. */
static int synced(int fd, int (*sync)(int)) {
  static uint64_t count;
  const char *name = name_of(fd);
  if (!name) return sync(fd);
  if (fails("sync", name)) return -1;
  char copy[PATH_MAX];
  snprintf(copy, sizeof copy, "%s", name);
  uint64_t file = number_of(fd), number = __sync_add_and_fetch(&count, 1);
  CHANGE(0, record(NULL, 0, "sync\t%lu\t%lu\t%s\n", number, file, copy));
  int result = sync(fd);
  int was = errno;
  if (result == 0) CHANGE(0, record(NULL, 0, "synced\t%lu\n", number));
  errno = was;
  return result;
}
int fsync(int fd) { return synced(fd, NEXT(fsync)); }
int fdatasync(int fd) { return synced(fd, NEXT(fdatasync)); }

#define NAMING(kind, call, ...) \
  char whole[PATH_MAX]; \
  const char *name = below(at, path, whole); \
  if (!name) return call; \
  if (fails(kind, name)) return -1; \
  return CHANGE(call, record(NULL, 0, __VA_ARGS__))

int renameat(int at, const char *from, int at_to, const char *path) {
  char first[PATH_MAX], second[PATH_MAX];
  const char *old = below(at, from, first), *name = below(at_to, path, second);
  if (!old || !name) return NEXT(renameat)(at, from, at_to, path);
  if (fails("rename", name)) return -1;
  return CHANGE(NEXT(renameat)(at, from, at_to, path), record(NULL, 0, "rename\t%s\t%s\n", old, name));
}
int rename(const char *from, const char *to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int link(const char *from, const char *path) {
  char first[PATH_MAX];
  const char *old = below(AT_FDCWD, from, first);
  int at = AT_FDCWD;
  NAMING("create", NEXT(link)(from, path), "link\t%s\t%s\n", old ? old : "", name);
}
int unlinkat(int at, const char *path, int flags) {
  NAMING("unlink", NEXT(unlinkat)(at, path, flags), "%s\t%s\n", flags & AT_REMOVEDIR ? "rmdir" : "unlink", name);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 && S_ISDIR(found.st_mode) ? rmdir(path) : unlink(path);
}
int mkdirat(int at, const char *path, mode_t mode) {
  NAMING("create", NEXT(mkdirat)(at, path, mode), "mkdir\t%s\n", name);
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int scandir64(const char *path, struct dirent64 ***list, int (*pick)(const struct dirent64 *),
              int (*order)(const struct dirent64 **, const struct dirent64 **)) {
  char whole[PATH_MAX];
  const char *name = below(AT_FDCWD, path, whole);
  return name && fails("list", name) ? -1 : NEXT(scandir64)(path, list, pick, order);
}

/* Copies within the kernel are refused, so that they are made by reading and writing. */
int ioctl(int fd, unsigned long request, ...) {
  va_list more;
  va_start(more, request);
  void *argument = va_arg(more, void *);
  va_end(more);
  if (name_of(fd) && request == 0x40049409 /* FICLONE */) { errno = EOPNOTSUPP; return -1; }
  return NEXT(ioctl)(fd, request, argument);
}
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t length, unsigned flags) {
  if (name_of(out)) { errno = EXDEV; return -1; }
  return NEXT(copy_file_range)(in, from, out, to, length, flags);
}
ssize_t sendfile(int out, int in, off_t *from, size_t length) {
  if (name_of(out)) { errno = EINVAL; return -1; }
  return NEXT(sendfile64)(out, in, from, length);
}
ssize_t sendfile64(int out, int in, off_t *from, size_t length) SAME("sendfile");

/* libuv asks the kernel itself for these. */
long syscall(long number, ...) {
  va_list more;
  va_start(more, number);
  long a = va_arg(more, long), b = va_arg(more, long), c = va_arg(more, long);
  long d = va_arg(more, long), e = va_arg(more, long), f = va_arg(more, long);
  va_end(more);
  char whole[PATH_MAX];
  if (number == SYS_close) forget((int)a);
  if (number == SYS_copy_file_range && name_of((int)c)) { errno = EXDEV; return -1; }
  if (number == SYS_statx && control && control->generation) {
    const char *path = (const char *)b;
    const char *name = path && *path ? below((int)a, path, whole) : name_of((int)a);
    if (name && fails("stat", name)) return -1;
  }
  return NEXT(syscall)(number, a, b, c, d, e, f);
}
