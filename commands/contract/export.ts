import { required } from '../../src/cli/arguments.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { plain, type Rendered, texts } from '../../src/wire/view.ts'

const files = plain('Files', { files: texts('Paths of the files.') })

export default class ContractExport extends BaseCommand<Rendered<typeof files>> {
  static override summary = 'Write the published contract to a directory.'
  static override description =
    'Writes the OpenAPI documents, their manifest, the Postman collection and test vectors for webhook signatures, under the paths at which the service serves them. Replaces existing files.'
  static override examples = ['<%= config.bin %> <%= command.id %> public']
  static override args = { directory: required('Directory; created if it does not exist.') }

  override async output() {
    return files
  }

  async run() {
    const { args } = await this.parse(ContractExport)
    const { exportContract } = await import('../../src/cli/export-contract.ts')
    const files = await exportContract(args.directory)
    this.log(`Wrote ${files.length} files to ${args.directory}.`)
    return { files }
  }
}
