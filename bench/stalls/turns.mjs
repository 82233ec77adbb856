// The measured service loads this module. It notes the longest turn of the event loop in CPU time of its
// thread, which other programs on a busy machine do not change as they change the time of an answer, and
// neither do threads that collect garbage meanwhile. On SIGUSR2 it writes the figure to a file and begins
// again. Node 20 does not know the CPU time of a thread, but Linux does.
import { openSync, readSync, renameSync, writeFileSync } from 'node:fs'

const { COOPSHARE_BENCH_TURNS: path } = process.env
const usage = openSync(`/proc/self/task/${process.pid}/schedstat`)
const read = Buffer.alloc(64)

/** The first number is the CPU time in nanoseconds. */
function cpuMs() {
  const bytes = readSync(usage, read, 0, read.length, 0)
  return Number(read.toString('latin1', 0, bytes).split(' ')[0]) / 1e6
}

let longestMs = 0
let last = cpuMs()

setInterval(() => {
  const now = cpuMs()
  longestMs = Math.max(longestMs, now - last)
  last = now
}, 1).unref()

process.on('SIGUSR2', () => {
  writeFileSync(`${path}.tmp`, String(longestMs))
  renameSync(`${path}.tmp`, path)
  longestMs = 0
})
