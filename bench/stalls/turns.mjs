// The measured service loads this module. It notes the longest turn of the event loop in CPU time, which
// other programs on a busy machine do not change as they change the time of an answer. The CPU time of
// all threads counts. On SIGUSR2 it writes the figure to a file and begins again.
import { renameSync, writeFileSync } from 'node:fs'

const { COOPSHARE_BENCH_TURNS: path } = process.env
let longestMs = 0
let last = process.cpuUsage()

setInterval(() => {
  const { user, system } = process.cpuUsage(last)
  last = process.cpuUsage()
  longestMs = Math.max(longestMs, (user + system) / 1000)
}, 1).unref()

process.on('SIGUSR2', () => {
  writeFileSync(`${path}.tmp`, String(longestMs))
  renameSync(`${path}.tmp`, path)
  longestMs = 0
})
