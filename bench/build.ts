import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Builds the program first, so that the benchmarks measure what users run. */
export function build(): void {
  const cwd = join(import.meta.dirname, '..')
  execFileSync('npm', ['run', '-s', 'build'], { cwd, stdio: 'inherit' })
}
