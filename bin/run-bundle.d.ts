export const bundle: string
export const codeCaches: { readonly ofServe: string; readonly ofCommands: string }
