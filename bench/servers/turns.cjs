// Loaded into a service that is measured. Each connection to the socket gets what the process has used since the last one:
// CPU, memory, and the longest time for which nothing else had its turn. Other work on the machine stretches a turn, so
// its CPU time is measured beside the time that has passed.
const { openSync, readSync, readFileSync, writeFileSync } = require('node:fs')
const { createServer } = require('node:net')

const everyMs = 2
// Of the main thread alone: the kernel counts nanoseconds.
const schedule = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
const buffer = Buffer.alloc(64)

function read() {
  const length = readSync(schedule, buffer, 0, buffer.length, 0)
  const [nanoseconds] = buffer.toString('latin1', 0, length).split(' ')
  return { cpuMs: Number(nanoseconds) / 1e6, ms: performance.now() }
}

function memory(name) {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)[1]) * 1024
}

let last = read()
let longest = { cpuMs: 0, ms: 0 }
setInterval(() => {
  const now = read()
  longest = {
    cpuMs: Math.max(longest.cpuMs, now.cpuMs - last.cpuMs),
    ms: Math.max(longest.ms, now.ms - last.ms - everyMs),
  }
  last = now
}, everyMs).unref()

let cpu = process.cpuUsage()
createServer((socket) => {
  const { user, system } = process.cpuUsage(cpu)
  socket.end(
    JSON.stringify({
      turn: longest,
      cpuSeconds: (user + system) / 1e6,
      residentBytes: memory('VmRSS'),
      peakBytes: memory('VmHWM'),
    }),
  )
  // The peak begins again.
  writeFileSync('/proc/self/clear_refs', '5')
  longest = { cpuMs: 0, ms: 0 }
  cpu = process.cpuUsage()
})
  .listen(process.env.COOPSHARE_BENCH_TURNS)
  .unref()
