/** Whether a process of this number runs here. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Only this says that there is none. The process of another user is alive, too, though we may not signal it.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
