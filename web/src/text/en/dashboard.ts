export const dashboard = {
  title: 'Dashboard',
}

export type DashboardWords = typeof dashboard
