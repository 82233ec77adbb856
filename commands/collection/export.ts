import { createHash } from 'node:crypto'
import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { invalid } from '../../src/config/common-flags.ts'
import type { Row } from '../../src/operations/operations.ts'
import { plain, type Rendered, text } from '../../src/wire/view.ts'

const exported = plain('Exported collection', {
  file: text('Path of the file.'),
  file_digest: text('SHA-256 of the file, in hexadecimal.'),
})

export default class CollectionExport extends ServiceCommand<Rendered<typeof exported>> {
  static override summary = 'Print the file of a collection for the bank (pain.008.001.08).'
  static override description =
    'The file has the same bytes each time. It contains names and accounts of investors, so keep it where only you can read it. With --to, the command writes a new file.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7 --to solar-allgaeu.xml',
  ]
  static override args = { collection: required('Id of the collection.') }
  static override flags = {
    to: Flags.string({ helpValue: 'FILE', description: 'Path of the new file.' }),
  }

  override async output() {
    return exported
  }

  async run() {
    const { args, flags } = await this.parse(CollectionExport)
    const { to: file } = flags
    if (this.jsonEnabled() && file === undefined)
      throw invalid('The file goes to standard output. Leave out --json, or give --to FILE.')
    const service = await this.connect(flags)
    const batches = service.list('collection.export', { collection_id: args.collection })
    const hash = createHash('sha256')
    const content = digested(batches, hash)
    const { writeNewFile, writeOutput } = await import('../../src/cli/backup-output.ts')
    if (file === undefined) {
      await writeOutput(content, 'The file')
      return { file: '-', file_digest: hash.digest('hex') }
    }
    const bytes = await writeNewFile(file, content)
    this.log(`Wrote ${bytes} bytes to ${file}.`)
    return { file, file_digest: hash.digest('hex') }
  }
}

async function* digested(
  batches: AsyncIterable<readonly Row<'collection.export'>[]>,
  hash: { update(part: string): unknown },
): AsyncGenerator<Buffer> {
  for await (const rows of batches) {
    for (const { text: part } of rows) {
      hash.update(part)
      yield Buffer.from(part)
    }
  }
}
