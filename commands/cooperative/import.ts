import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'

export default class CooperativeImport extends ServiceCommand {
  static override summary = 'Create and update cooperatives from a file.'
  static override description =
    'Cooperatives are matched by their key. The file is applied as a whole or not at all. New cooperatives stay unpublished unless the file says `published: true`. Paths of images are relative to the file, or to the working directory for standard input.'
  static override examples = ['<%= config.bin %> <%= command.id %> cooperatives.ndjson']
  static override args = {
    file: required(
      'File with a JSON or YAML array, or with one JSON object per line; - reads standard input.',
    ),
  }

  protected override readonly mayBeginStore = true

  async run() {
    const { args, flags } = await this.parse(CooperativeImport)
    const { readCooperativeFile } = await import('../../src/cli/read-cooperative-file.ts')
    const file = await readCooperativeFile(args.file)
    const service = await this.connect(flags)
    const imported = await service.call('cooperative.import', file.input).catch((error) => {
      throw file.explain(error)
    })
    this.show(
      renderTable(imported.cooperatives, {
        KEY: ({ key }) => key,
        NAME: ({ name }) => name,
        PUBLISHED: ({ published }) => published,
        OUTCOME: ({ outcome }) => outcome,
      }),
    )
    return imported
  }
}
