package metrics

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// AddGo adds what Go tells about itself, by the names that dashboards for programs in
// Go know: memory, garbage collection, goroutines, threads.
func (s *Set) AddGo() {
	gauge := func(name, help string, read func() float64) { s.GaugeFunc("go_"+name, help, read) }
	gauge("goroutines", "Number of goroutines that currently exist.", func() float64 { return float64(runtime.NumGoroutine()) })
	gauge("threads", "Number of OS threads created.", func() float64 {
		n, _ := runtime.ThreadCreateProfile(nil)
		return float64(n)
	})
	gauge("sched_gomaxprocs_threads", "The current runtime.GOMAXPROCS setting, or the number of operating system threads that can execute user-level Go code simultaneously. Sourced from /sched/gomaxprocs:threads.",
		func() float64 { return float64(runtime.GOMAXPROCS(0)) })
	gauge("gc_gogc_percent", "Heap size target percentage configured by the user, otherwise 100. This value is set by the GOGC environment variable, and the runtime/debug.SetGCPercent function. Sourced from /gc/gogc:percent.",
		func() float64 { return read("/gc/gogc:percent") })
	gauge("gc_gomemlimit_bytes", "Go runtime memory limit configured by the user, otherwise math.MaxInt64. This value is set by the GOMEMLIMIT environment variable, and the runtime/debug.SetMemoryLimit function. Sourced from /gc/gomemlimit:bytes.",
		func() float64 { return read("/gc/gomemlimit:bytes") })
	s.Gauge("go_info", "Information about the Go environment.", "version").Add(1, runtime.Version())
	s.add(&family{
		name: "go_gc_duration_seconds", kind: "summary",
		help: "A summary of the wall-time pause (stop-the-world) duration in garbage collection cycles.", read: pauses,
	}, nil)
	s.addMemory()
}

// read is a number of package runtime/metrics.
func read(name string) float64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0 // this Go does not know it
	}
	return float64(sample[0].Value.Uint64())
}

// pauses are quantiles of how long the garbage collector stopped the program.
func pauses(*moment) []sample {
	stats := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&stats)
	out := make([]sample, 0, len(stats.PauseQuantiles)+2)
	for i, pause := range stats.PauseQuantiles {
		quantile := number(float64(i) / float64(len(stats.PauseQuantiles)-1))
		out = append(out, sample{labels: []string{"quantile", quantile}, value: pause.Seconds()})
	}
	return append(out, sample{suffix: "_sum", value: stats.PauseTotal.Seconds()}, sample{suffix: "_count", value: float64(stats.NumGC)})
}

// addMemory adds the numbers of runtime.MemStats.
func (s *Set) addMemory() {
	for _, row := range []struct {
		name, kind, help string
		of               func(*runtime.MemStats) uint64
	}{
		{"alloc_bytes", "gauge", "Number of bytes allocated in heap and currently in use. Equals to /memory/classes/heap/objects:bytes.", func(m *runtime.MemStats) uint64 { return m.Alloc }},
		{"alloc_bytes_total", "counter", "Total number of bytes allocated in heap until now, even if released already. Equals to /gc/heap/allocs:bytes.", func(m *runtime.MemStats) uint64 { return m.TotalAlloc }},
		{"buck_hash_sys_bytes", "gauge", "Number of bytes used by the profiling bucket hash table. Equals to /memory/classes/profiling/buckets:bytes.", func(m *runtime.MemStats) uint64 { return m.BuckHashSys }},
		{"frees_total", "counter", "Total number of heap objects frees. Equals to /gc/heap/frees:objects + /gc/heap/tiny/allocs:objects.", func(m *runtime.MemStats) uint64 { return m.Frees }},
		{"gc_sys_bytes", "gauge", "Number of bytes used for garbage collection system metadata. Equals to /memory/classes/metadata/other:bytes.", func(m *runtime.MemStats) uint64 { return m.GCSys }},
		{"heap_alloc_bytes", "gauge", "Number of heap bytes allocated and currently in use, same as go_memstats_alloc_bytes. Equals to /memory/classes/heap/objects:bytes.", func(m *runtime.MemStats) uint64 { return m.HeapAlloc }},
		{"heap_idle_bytes", "gauge", "Number of heap bytes waiting to be used. Equals to /memory/classes/heap/released:bytes + /memory/classes/heap/free:bytes.", func(m *runtime.MemStats) uint64 { return m.HeapIdle }},
		{"heap_inuse_bytes", "gauge", "Number of heap bytes that are in use. Equals to /memory/classes/heap/objects:bytes + /memory/classes/heap/unused:bytes", func(m *runtime.MemStats) uint64 { return m.HeapInuse }},
		{"heap_objects", "gauge", "Number of currently allocated objects. Equals to /gc/heap/objects:objects.", func(m *runtime.MemStats) uint64 { return m.HeapObjects }},
		{"heap_released_bytes", "gauge", "Number of heap bytes released to OS. Equals to /memory/classes/heap/released:bytes.", func(m *runtime.MemStats) uint64 { return m.HeapReleased }},
		{"heap_sys_bytes", "gauge", "Number of heap bytes obtained from system. Equals to /memory/classes/heap/objects:bytes + /memory/classes/heap/unused:bytes + /memory/classes/heap/released:bytes + /memory/classes/heap/free:bytes.", func(m *runtime.MemStats) uint64 { return m.HeapSys }},
		{"mallocs_total", "counter", "Total number of heap objects allocated, both live and gc-ed. Semantically a counter version for go_memstats_heap_objects gauge. Equals to /gc/heap/allocs:objects + /gc/heap/tiny/allocs:objects.", func(m *runtime.MemStats) uint64 { return m.Mallocs }},
		{"mcache_inuse_bytes", "gauge", "Number of bytes in use by mcache structures. Equals to /memory/classes/metadata/mcache/inuse:bytes.", func(m *runtime.MemStats) uint64 { return m.MCacheInuse }},
		{"mcache_sys_bytes", "gauge", "Number of bytes used for mcache structures obtained from system. Equals to /memory/classes/metadata/mcache/inuse:bytes + /memory/classes/metadata/mcache/free:bytes.", func(m *runtime.MemStats) uint64 { return m.MCacheSys }},
		{"mspan_inuse_bytes", "gauge", "Number of bytes in use by mspan structures. Equals to /memory/classes/metadata/mspan/inuse:bytes.", func(m *runtime.MemStats) uint64 { return m.MSpanInuse }},
		{"mspan_sys_bytes", "gauge", "Number of bytes used for mspan structures obtained from system. Equals to /memory/classes/metadata/mspan/inuse:bytes + /memory/classes/metadata/mspan/free:bytes.", func(m *runtime.MemStats) uint64 { return m.MSpanSys }},
		{"next_gc_bytes", "gauge", "Number of heap bytes when next garbage collection will take place. Equals to /gc/heap/goal:bytes.", func(m *runtime.MemStats) uint64 { return m.NextGC }},
		{"other_sys_bytes", "gauge", "Number of bytes used for other system allocations. Equals to /memory/classes/other:bytes.", func(m *runtime.MemStats) uint64 { return m.OtherSys }},
		{"stack_inuse_bytes", "gauge", "Number of bytes obtained from system for stack allocator in non-CGO environments. Equals to /memory/classes/heap/stacks:bytes.", func(m *runtime.MemStats) uint64 { return m.StackInuse }},
		{"stack_sys_bytes", "gauge", "Number of bytes obtained from system for stack allocator. Equals to /memory/classes/heap/stacks:bytes + /memory/classes/os-stacks:bytes.", func(m *runtime.MemStats) uint64 { return m.StackSys }},
		{"sys_bytes", "gauge", "Number of bytes obtained from system. Equals to /memory/classes/total:byte.", func(m *runtime.MemStats) uint64 { return m.Sys }},
	} {
		s.memory(row.name, row.kind, row.help, func(m *runtime.MemStats) float64 { return float64(row.of(m)) })
	}
	s.memory("last_gc_time_seconds", "gauge", "Number of seconds since 1970 of last garbage collection.", func(m *runtime.MemStats) float64 { return float64(m.LastGC) / 1e9 })
}

func (s *Set) memory(name, kind, help string, of func(*runtime.MemStats) float64) {
	s.add(&family{name: "go_memstats_" + name, kind: kind, help: help, read: func(now *moment) []sample {
		return []sample{{value: of(now.memory())}}
	}}, nil)
}

// moment is when everything is told.
type moment struct{ mem *runtime.MemStats }

// memory stops the program for a moment, so that it is read once for all that is told.
func (m *moment) memory() *runtime.MemStats {
	if m.mem == nil {
		m.mem = &runtime.MemStats{}
		runtime.ReadMemStats(m.mem)
	}
	return m.mem
}
