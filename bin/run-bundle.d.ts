export const bundle: string
export const codeCache: string
