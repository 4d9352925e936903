"""Models on this machine: files of weights, and llama.cpp's server in a child process of ours."""
