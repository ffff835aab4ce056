/* Watches pieces with Vectorscan's streaming mode. Reads numbers and texts from
 * standard input as vectorscan.go writes them; prints the nanoseconds of a piece and
 * how many planted matches it missed. */
#include <hs/hs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint32_t number(void) {
	uint32_t n;
	if (fread(&n, 4, 1, stdin) != 1) exit(2);
	return n;
}

static char *text(uint32_t *size) {
	*size = number();
	char *s = malloc(*size + 1);
	if (*size && fread(s, *size, 1, stdin) != 1) exit(2);
	s[*size] = 0;
	return s;
}

static unsigned char *found;

static int matched(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void *context) {
	found[id] = 1;
	return 0;
}

/* Processor time, as for the others. */
static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(void) {
	double budget = number() * 1e6;
	uint32_t n = number(), size;
	const char **patterns = malloc(n * sizeof *patterns);
	unsigned *flags = calloc(n, sizeof *flags), *ids = malloc(n * sizeof *ids);
	for (uint32_t i = 0; i < n; i++) {
		patterns[i] = text(&size);
		flags[i] = HS_FLAG_SINGLEMATCH;
		ids[i] = i;
	}
	found = calloc(n, 1);
	hs_database_t *database;
	hs_compile_error_t *bad;
	if (hs_compile_multi(patterns, flags, ids, n, HS_MODE_STREAM, NULL, &database, &bad) != HS_SUCCESS) {
		fprintf(stderr, "pattern %d: %s\n", bad->expression, bad->message);
		return 1;
	}
	hs_scratch_t *scratch = NULL;
	hs_stream_t *stream;
	hs_alloc_scratch(database, &scratch);
	hs_open_stream(database, 0, &stream);
	int missed = 0;
	uint32_t controls = number();
	for (uint32_t i = 0; i < controls; i++) {
		uint32_t trigger = number(), count = number();
		memset(found, 0, n);
		hs_reset_stream(stream, 0, NULL, NULL, NULL);
		for (uint32_t j = 0; j < count; j++) {
			char *piece = text(&size);
			hs_scan_stream(stream, piece, size, 0, scratch, matched, NULL);
		}
		if (!found[trigger]) missed++;
	}
	uint32_t count = number();
	char **pieces = malloc(count * sizeof *pieces);
	uint32_t *sizes = malloc(count * sizeof *sizes);
	for (uint32_t i = 0; i < count; i++) pieces[i] = text(&sizes[i]);
	double spent = 0;
	long done = 0;
	for (int round = 0; spent < budget; round++) {
		hs_reset_stream(stream, 0, NULL, NULL, NULL);
		double start = now();
		for (uint32_t i = 0; i < count; i++) hs_scan_stream(stream, pieces[i], sizes[i], 0, scratch, matched, NULL);
		if (round > 0) { /* the first one warms */
			spent += now() - start;
			done += count;
		}
	}
	printf("%f %d\n", spent / done, missed);
	return 0;
}
