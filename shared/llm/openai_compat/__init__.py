"""Chat completions as OpenAI made them and Ollama, llama.cpp and vLLM answer them."""
