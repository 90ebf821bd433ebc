"""A function that is called by the clock."""


def tick(request):
    return f"{request.method} {request.get_data(as_text=True)}"
