export const register = {
  title: 'Register',
}

export type RegisterWords = typeof register
