export const consent = {
  title: 'Continue',
}

export type ConsentWords = typeof consent
