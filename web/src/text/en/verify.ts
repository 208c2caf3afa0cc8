export const verify = {
  title: 'Confirm',
}

export type VerifyWords = typeof verify
