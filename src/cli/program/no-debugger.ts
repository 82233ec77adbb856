// At SIGUSR1, Node would open a debugger to every user of this machine. With a listener, it does nothing.

/** The user wants a debugger from the start. */
const isWanted = /--inspect(-brk|-wait)?(?![\w-])/.test(
  [...process.execArgv, process.env['NODE_OPTIONS']].join(' '),
)

/** By then, Node has opened the debugger for a signal that arrived before the listener was there. */
const openedMs = 200

if (!isWanted) {
  process.on('SIGUSR1', () => {})
  setTimeout(() => void closeDebugger(), openedMs).unref()
}

async function closeDebugger(): Promise<void> {
  const inspector = await import('node:inspector')
  if (inspector.url() !== undefined) inspector.close()
}
