/* Plays a script of level changes on gpio-sim lines, each at its moment, and writes down when it really happened.
 *
 *     stim FOLDER <SCRIPT >LOG
 *
 * FOLDER is the chip's in sysfs. A line of the script is `TIME_NS LINE LEVEL CPU`: nanoseconds from the start, in order;
 * the CPUs 0 and 1 play at the same time. A line of the log is `WANTED LINE LEVEL CPU BEFORE AFTER`, where the three times
 * are CLOCK_MONOTONIC in nanoseconds: when it should have been, just before the write and just after it.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 64, CPUS = 2, CHANGES = 1 << 18 };
static const int64_t LEAD = 300000;     /* how long before its moment a change stops sleeping and spins; */
static const int64_t LEAD_ALONE = 60000; /* with one processor, which nothing holds up, and others want to use */
static const int64_t START = 100000000; /* time to get both players ready */

struct change {
    int64_t at, before, after;
    int line, level, cpu;
};

static struct change changes[CHANGES];
static int count, pull[LINES];
static int64_t start, lead;

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void wait_for(int64_t moment)
{
    int64_t wake = moment - lead;
    struct timespec t = { wake / 1000000000, wake % 1000000000 };
    if (now() < wake)
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    while (now() < moment)
        ;
}

static void play(struct change *change)
{
    const char *level = change->level ? "pull-up" : "pull-down";
    wait_for(start + change->at);
    change->before = now();
    if (pwrite(pull[change->line], level, strlen(level), 0) < 0)
        warn("line %d", change->line);
    change->after = now();
}

static void *player(void *cpu)
{
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET((int)(intptr_t)cpu, &here);
    sched_setaffinity(0, sizeof here, &here);
    prctl(PR_SET_TIMERSLACK, 1UL); /* the sleep ends when it should */
    for (int i = 0; i < count; i++)
        if (changes[i].cpu == (intptr_t)cpu)
            play(&changes[i]);
    return NULL;
}

static void read_script(const char *folder)
{
    struct change c = { 0 };
    char path[512];
    while (scanf("%" SCNd64 " %d %d %d", &c.at, &c.line, &c.level, &c.cpu) == 4) {
        if (count == CHANGES || c.line < 0 || c.line >= LINES || c.cpu < 0 || c.cpu >= CPUS)
            errx(2, "change %d cannot be played", count + 1);
        if (!pull[c.line]) {
            snprintf(path, sizeof path, "%s/sim_gpio%d/pull", folder, c.line);
            pull[c.line] = open(path, O_WRONLY | O_CLOEXEC);
            if (pull[c.line] < 0)
                err(1, "%s", path);
        }
        changes[count++] = c;
    }
    if (!feof(stdin))
        errx(2, "line %d of the script cannot be read", count + 1);
}

int main(int argc, char **argv)
{
    pthread_t players[CPUS];
    if (argc != 2)
        errx(2, "usage: stim FOLDER <SCRIPT >LOG");
    read_script(argv[1]);
    mlockall(MCL_CURRENT);
    lead = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? LEAD : LEAD_ALONE;
    start = now() + START;
    for (intptr_t cpu = 0; cpu < CPUS; cpu++)
        if (pthread_create(&players[cpu], NULL, player, (void *)cpu))
            err(1, "thread");
    for (int cpu = 0; cpu < CPUS; cpu++)
        pthread_join(players[cpu], NULL);
    for (int i = 0; i < count; i++) {
        struct change *c = &changes[i];
        printf("%" PRId64 " %d %d %d %" PRId64 " %" PRId64 "\n", start + c->at, c->line, c->level, c->cpu, c->before, c->after);
    }
    return 0;
}
