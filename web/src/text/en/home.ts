export const home = {
  title: 'Home',
}

export type HomeWords = typeof home
