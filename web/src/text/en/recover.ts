export const recover = {
  title: 'Recover access',
}

export type RecoverWords = typeof recover
