"""Plans of many episodes, the engines that play them, and what their figures come to."""
