/** For a rejection: what fails in an open file, or in a folder, fails without its name. */
export function naming(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw Object.assign(error, { path })
  }
}
