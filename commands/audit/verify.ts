import { Flags } from '@oclif/core'
import { is, type } from 'superstruct'
import { exitCodes } from '../../src/cli/error-codes.ts'
import { fileProblem, readText } from '../../src/cli/files/read-file.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'
import { parseJson } from '../../src/domain/text.ts'
import { type AuditAnchor, anchorFields } from '../../src/operations/audit.ts'

export default class AuditVerify extends operationCommand('audit.verify') {
  static override summary = 'Verify that nobody has changed, removed or inserted an audit entry.'
  static override description =
    'Save the output with --json in a place where nobody with access to the store can change it. Later, give that file as --anchor to find out whether somebody has removed the end of the audit or rebuilt it.\n\nExit code 1: the audit was changed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --json > anchor.json',
    '<%= config.bin %> <%= command.id %> --anchor anchor.json',
  ]
  static override flags = {
    anchor: Flags.string({
      helpValue: 'FILE',
      description: 'File with an earlier --json output of this command.',
    }),
  }

  async run() {
    const { flags } = await this.parse(AuditVerify)
    const { anchor: file, ...connection } = flags
    const anchor = file === undefined ? undefined : await readAnchor(file)
    const verified = await this.call(connection, { anchor })
    const { position, hash, count, unsealed, at, problems } = verified
    this.show(renderFields({ position, hash, count, at }))
    if (unsealed > 0) {
      this.log(
        `Entries that are not in the chain yet, so the chain does not prove them: ${unsealed}. The service adds each entry about a second after it is stored, unless the store accepts no writes. In PostgreSQL, it also waits for earlier transactions on the server to end.`,
      )
    }
    for (const problem of problems) this.log(problem)
    this.log(verified.sound ? 'The audit is sound.' : 'The audit was changed.')
    if (!verified.sound) process.exitCode = exitCodes.failed
    return verified
  }
}

/** Accepts further fields, because the answer has more and later versions may add others. */
const answerShape = type(anchorFields)

async function readAnchor(file: string): Promise<AuditAnchor> {
  const answer = parseJson(await readText(file))
  if (!is(answer, answerShape)) {
    throw fileProblem([`${file}: is not an answer of \`audit verify --json\``])
  }
  return { position: answer.position, hash: answer.hash }
}
