import { renewContract } from './contract/renew-contract.ts'
import { contractDirectory } from './contract/sources.ts'

await renewContract(contractDirectory).catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
