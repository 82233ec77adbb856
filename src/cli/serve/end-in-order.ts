type Ending = () => Promise<unknown> | undefined

/** Stage after stage, all of one stage at once. What fails keeps nothing else from ending, and is thrown when all is over. */
export async function endInOrder(...stages: readonly (readonly Ending[])[]): Promise<void> {
  const outcomes: PromiseSettledResult<unknown>[] = []
  for (const stage of stages) {
    outcomes.push(...(await Promise.allSettled(stage.map(async (end) => end()))))
  }
  const failed = outcomes.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
