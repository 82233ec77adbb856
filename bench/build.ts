import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Measures the program that users run. */
export function build(): void {
  const cwd = join(import.meta.dirname, '..')
  execFileSync('npm', ['run', '-s', 'build'], { cwd, stdio: 'inherit' })
}
