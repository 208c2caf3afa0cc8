export const signIn = {
  title: 'Sign in',
}

export type SignInWords = typeof signIn
