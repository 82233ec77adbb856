// Sends at the rate that its parent asks for, and reports the results every ten seconds.
import { once } from 'node:events'
import { OpenLoop, type Steady } from './open-loop.ts'
import type { SliceFigures } from './slice.ts'

export type Told =
  | { readonly slice: SliceFigures }
  /** Sent once, when the run is over. */
  | { readonly unanswered: number }

const sliceMs = 10_000

// Without its parent this process has nothing to do.
process.on('disconnect', () => process.exit())

const [steady] = (await once(process, 'message')) as [Steady]
const tell = (told: Told) => process.send?.(told)
const loop = new OpenLoop(steady)
await loop.open()
const slices = setInterval(() => tell({ slice: loop.takeSlice().figures() }), sliceMs)
const unanswered = await loop.run()
clearInterval(slices)
tell({ slice: loop.takeSlice().figures() })
tell({ unanswered })
