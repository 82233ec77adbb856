import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { exitCodes } from '../../src/cli/exit-codes.ts'
import { renderTable } from '../../src/cli/table.ts'
import { parseDeploymentUrl } from '../../src/cli/verify-contract/deployment-url.ts'
import type {
  Verification,
  VerifiedOperation,
} from '../../src/cli/verify-contract/verify-contract.ts'

export default class ContractVerify extends BaseCommand {
  static override summary = 'Check that a deployment answers as the published contract says.'
  static override description =
    'Asks each operation that reads, some so that they are refused, and measures the answers by every published version. With --write it registers an invented investor, too, places an order and cancels it. Ends with 4 when anything differs or no order could be placed, with 5 when no service answers.'
  static override examples = [
    'COOPSHARE_CLIENT_SECRET=demo-bank-full-secret-for-staging-only <%= config.bin %> <%= command.id %> --url http://127.0.0.1:8080 --client-id d0000000-0000-4000-8000-000000000001',
    '<%= config.bin %> <%= command.id %> --url https://staging.example --write --json',
  ]
  static override flags = {
    url: Flags.string({
      required: true,
      helpValue: 'URL',
      parse: async (text) => parseDeploymentUrl(text),
      description: 'Address of the deployment: what stands before /v1 and /oauth2.',
    }),
    'client-id': Flags.string({
      env: 'COOPSHARE_CLIENT_ID',
      required: true,
      helpValue: 'ID',
      description: 'Client with all scopes.',
    }),
    'client-secret': Flags.string({
      env: 'COOPSHARE_CLIENT_SECRET',
      required: true,
      helpValue: 'SECRET',
      description: 'One of its secrets; better given as a variable.',
    }),
    write: Flags.boolean({ description: 'Register an investor and place an order, too.' }),
  }

  async run() {
    const { flags } = await this.parse(ContractVerify)
    const { verifyContract } = await import('../../src/cli/verify-contract/verify-contract.ts')
    const deployment = {
      url: flags.url,
      clientId: flags['client-id'],
      clientSecret: flags['client-secret'],
    }
    const verification = await verifyContract(deployment, { write: flags.write })
    this.show(
      renderTable(verification.operations, {
        OPERATION: ({ operation }) => operation,
        STATUS: ({ status }) => status,
        RESULT: resultOf,
        DIFFERENCE: ({ difference }) => difference,
      }),
    )
    for (const line of summaryOf(verification)) this.show(line)
    if (!verification.holds) process.exitCode = exitCodes.refused
    return verification
  }
}

function summaryOf({ operations, versions, passed_over: count }: Verification): string[] {
  const first = operations.find((one) => !one.holds)
  const result = first
    ? `First difference: ${first.operation} ${first.difference}`
    : `All as in ${versions.join(', ')}.`
  const passedOver = `Passed over: ${count} of ${operations.length}, for which the deployment has nothing.`
  return count > 0 ? [result, passedOver] : [result]
}

/** What a deployment has nothing for, such as pictures, is passed over. */
function resultOf({ status, holds }: VerifiedOperation): string {
  if (!holds) return 'differs'
  return status === null ? 'passed over' : 'ok'
}
