// Preloaded by the leaders of process groups: when the script that started the group is gone without having ended it,
// as after `kill -9`, the leader does that.
const parent = process.ppid;

const endGroup = () => {
  try {
    process.kill(-process.pid, 'SIGTERM');
  } catch {
    // A fork of a leader has these arguments, too, but is not a leader.
    process.kill(process.pid, 'SIGTERM');
  }
};

setInterval(() => {
  if (process.ppid !== parent) endGroup();
}, 500).unref();
