import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The guard waits a second, because processes that write into the folder are being killed at the
// same time.
const guardScript = `read -r _
sleep 1
rm -rf "$1"`

/** Runs the work with a temporary folder. The folder is removed even if this process is killed. */
export async function withFolder<Result>(
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'coopshare-bench-'))
  const guard = spawn('sh', ['-c', guardScript, 'sh', directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  const pipe = guard.stdin as Socket
  pipe.unref()
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
    pipe.end()
  }
}
