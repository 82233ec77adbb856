import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { countTurns } from '../fixtures/async.ts'
import { createSystemRandom, systemClock } from '../src/adapters/clock.ts'
import { openDiskFile, readText, rewrite, useFiles } from '../src/machine/files.ts'
import { isAlive, useProcesses } from '../src/machine/processes.ts'
import { generateRsaKey, useRandomness } from '../src/machine/random.ts'
import { mapInTurns, pause, useTime } from '../src/machine/time.ts'
import type { Files, Randomness, Time } from '../src/ports/machine.ts'

t.test('a file that is written again keeps its bytes', async (t) => {
  const bytes = randomBytes(2_500_000)
  const path = join(t.testdir({ journal: bytes }), 'journal')
  utimesSync(path, 0, 0)
  await rewrite(path, 100)
  t.ok(statSync(path).mtimeMs > 0, 'the file was written')
  t.ok(readFileSync(path).equals(bytes))
})

t.test('a long list is mapped in order, and other work runs meanwhile', async (t) => {
  const numbers = Array.from({ length: 3500 }, (_, number) => number)
  const counting = countTurns()
  const mapped = await mapInTurns(numbers, String)
  t.ok(counting.stop() >= 3, 'one turn for each thousand items')
  t.same(mapped, numbers.map(String))
})

// From here on, this process keeps the replaced machine.

t.test('a simulation gives the service its clock and its timers', async (t) => {
  const paused: number[] = []
  const time = {
    nowMs: () => Date.parse('2030-01-02T03:04:05Z'),
    pause: async (ms: number) => void paused.push(ms),
  }
  useTime(time as Time)
  t.equal(systemClock.now(), '2030-01-02T03:04:05.000Z')
  await pause(86_400_000)
  t.strictSame(paused, [86_400_000])
})

t.test('a simulation gives the service its randomness, and the same ids again', async (t) => {
  const chance: Pick<Randomness, 'fill' | 'fraction'> = {
    fill: (bytes) => bytes.fill(7),
    fraction: () => 0.25,
  }
  const draw = () => {
    useRandomness({ ...chance, generateRsaKey: () => Promise.reject(new Error('no keys')) })
    const random = createSystemRandom()
    return [random.id(), random.id(), random.secret(), random.fraction()]
  }
  const first = draw()
  t.strictSame(draw(), first)
  t.not(first[0], first[1])
  await t.rejects(generateRsaKey(), { message: 'no keys' })
})

t.test('a simulation gives the service its disk and its processes', async (t) => {
  const files = {
    openDisk: () => Promise.reject(new Error('the disk is gone')),
    readFile: async (path: string) => Buffer.from(`content of ${path}`),
  }
  useFiles(files as unknown as Files)
  t.equal(await readText('/store/journal'), 'content of /store/journal')
  await t.rejects(openDiskFile('/store/journal', 'create'), { message: 'the disk is gone' })
  useProcesses({ own: () => Object.create(null), isAlive: (pid) => pid === 4711 })
  t.equal(isAlive(4711), true)
  t.equal(isAlive(4712), false)
})
