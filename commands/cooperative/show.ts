import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields, renderTable } from '../../src/cli/table.ts'

export default class CooperativeShow extends operationCommand('cooperative.show') {
  static override examples = ['<%= config.bin %> <%= command.id %> solar-allgaeu']
  static override args = { cooperative: required('Cooperative id or key.') }

  async run() {
    const { args, flags } = await this.parse(CooperativeShow)
    const cooperative = await this.call(flags, args)
    const { projects, coordinates, images, creditor, ...fields } = cooperative
    const place = coordinates && `${coordinates.latitude}, ${coordinates.longitude}`
    this.show(renderFields({ ...fields, coordinates: place, images: images.join(' ') }))
    if (creditor) {
      this.show('\nCREDITOR')
      this.show(renderFields(creditor))
    }
    this.show()
    this.show(
      renderTable(projects, {
        PROJECT: 'name',
        TYPE: 'type',
        'CAPACITY KW': 'capacity_kw',
      }),
    )
    return cooperative
  }
}
