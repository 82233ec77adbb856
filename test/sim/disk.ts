import t from 'tap'
import { Dice } from '../../sim/dice.ts'
import { Disk } from '../../sim/disk.ts'

function sync(disk: Disk, path: string): void {
  const inode = disk.file(path)
  inode.sync(inode.size)
}

/** Lists what may be left of a file after a power loss. */
function leftOf(path: string, change: (disk: Disk) => void): readonly string[] {
  const left = new Set<string>()
  for (let seed = 0; seed < 300; seed += 1) {
    const disk = new Disk()
    change(disk)
    disk.crash(new Dice(seed))
    left.add(disk.exists(path) ? disk.file(path).content.toString() : 'no file')
  }
  return [...left].sort()
}

t.test('a power loss does not change synced bytes', async (t) => {
  const left = leftOf('/journal', (disk) => {
    disk.create('/journal').append(Buffer.from('whole'))
    sync(disk, '/journal')
    disk.syncNames('/')
  })
  t.strictSame(left, ['whole'])
})

t.test('without a sync of its directory, the name of a file may be lost', async (t) => {
  const left = leftOf('/journal', (disk) => {
    disk.create('/journal').append(Buffer.from('whole'))
    sync(disk, '/journal')
  })
  t.strictSame(left, ['no file', 'whole'])
})

t.test(
  'after a power loss, bytes that were not synced are missing, cut off, or left only in some sectors',
  async (t) => {
    const left = leftOf('/journal', (disk) => {
      disk.create('/journal').append(Buffer.from('1'))
      sync(disk, '/journal')
      disk.syncNames('/')
      disk.file('/journal').append(Buffer.from('23'))
    })
    for (const text of ['1', '12', '123', '1\0\0']) t.ok(left.includes(text), JSON.stringify(text))
  },
)

t.test('a rename happens completely or not at all', async (t) => {
  const rename = (disk: Disk) => {
    for (const [name, text] of [
      ['/old', 'old'],
      ['/new', 'new'],
    ] as const) {
      disk.create(name).append(Buffer.from(text))
      sync(disk, name)
    }
    disk.syncNames('/')
    disk.rename('/new', '/old')
  }
  t.strictSame(leftOf('/old', rename), ['new', 'old'])
  t.strictSame(leftOf('/new', rename), ['new', 'no file'])
})

t.test('a sync that succeeds after a failed sync does not write the lost bytes', async (t) => {
  const left = leftOf('/journal', (disk) => {
    disk.create('/journal').append(Buffer.from('12'))
    disk.syncNames('/')
    disk.file('/journal').failSync()
    disk.file('/journal').append(Buffer.from('3'))
    sync(disk, '/journal')
  })
  t.strictSame(left, ['\0\x003'])
})

t.test('a truncated file may have its old bytes again after a power loss', async (t) => {
  const left = leftOf('/journal', (disk) => {
    disk.create('/journal').append(Buffer.from('1234'))
    sync(disk, '/journal')
    disk.syncNames('/')
    disk.file('/journal').truncate(2)
  })
  t.strictSame(left, ['12', '1234'])
})

t.test('a sync makes the bytes from its beginning durable', async (t) => {
  const bytes = leftOf('/journal', (disk) => {
    const inode = disk.create('/journal')
    disk.syncNames('/')
    inode.append(Buffer.from('1'))
    const { size } = inode
    inode.append(Buffer.from('2'))
    inode.sync(size)
  })
  t.strictSame(bytes, ['1', '1\0', '12'])
  const names = leftOf('/second', (disk) => {
    disk.create('/first')
    const end = disk.beginSyncNames('/')
    disk.create('/second')
    end()
  })
  t.strictSame(names, ['', 'no file'])
})
